#pragma once

/// The operations whose effect the estimator knows, each as arguments of the macro `each`: its name
/// and its family.
#define TILELAB_OPERATIONS(each)                                                                   \
  each(BAR, control), each(BRA, control), each(BREAK, control), each(BSSY, control),               \
      each(BSYNC, control), each(CALL, control), each(EXIT, control), each(RET, control),          \
      each(WARPSYNC, control), each(ATOM, access), each(ATOMG, access), each(ATOMS, access),       \
      each(LD, access), each(LDG, access), each(LDGSTS, access), each(LDL, access),                \
      each(LDS, access), each(RED, access), each(REDG, access), each(ST, access),                  \
      each(STG, access), each(STL, access), each(STS, access), each(CS2R, move), each(LDC, move),  \
      each(MOV, move), each(P2R, move), each(R2P, move), each(R2UR, move), each(S2R, move),        \
      each(S2UR, move), each(ULDC, move), each(UMOV, move), each(IABS, sum), each(IADD3, sum),     \
      each(IMAD, sum), each(LEA, sum), each(UIADD3, sum), each(UIMAD, sum), each(ULEA, sum),       \
      each(VIADD, sum), each(BMSK, bits), each(BREV, bits), each(FLO, bits), each(LOP3, bits),     \
      each(PLOP3, bits), each(POPC, bits), each(PRMT, bits), each(SGXT, bits), each(SHF, bits),    \
      each(UBREV, bits), each(UFLO, bits), each(ULOP3, bits), each(UPLOP3, bits),                  \
      each(UPOPC, bits), each(UPRMT, bits), each(USGXT, bits), each(USHF, bits), each(IDP, bytes), \
      each(VABSDIFF, bytes), each(VABSDIFF4, bytes), each(ISETP, comparison),                      \
      each(SEL, comparison), each(UISETP, comparison), each(USEL, comparison),                     \
      each(VIADDMNMX, comparison), each(VIMNMX, comparison), each(VIMNMX3, comparison),            \
      each(DADD, twofold), each(DFMA, twofold), each(DMUL, twofold), each(DSETP, twofold),         \
      each(FADD, real), each(FCHK, real), each(FFMA, real), each(FMNMX, real), each(FMUL, real),   \
      each(FSEL, real), each(FSET, real), each(FSETP, real), each(MUFU, real), each(F2FP, halves), \
      each(HADD2, halves), each(HFMA2, halves), each(HMNMX2, halves), each(HMUL2, halves),         \
      each(HSET2, halves), each(HSETP2, halves), each(F2F, conversion), each(F2I, conversion),     \
      each(FRND, conversion), each(I2F, conversion), each(I2FP, conversion), each(MATCH, across),  \
      each(REDUX, across), each(SHFL, across), each(VOTE, across), each(VOTEU, across),            \
      each(ACQBULK, nothing), each(CCTL, nothing), each(CGAERRBAR, nothing),                       \
      each(DEPBAR, nothing), each(ENDCOLLECTIVE, nothing), each(ERRBAR, nothing),                  \
      each(FENCE, nothing), each(LDGDEPBAR, nothing), each(MEMBAR, nothing), each(NOP, nothing),   \
      each(PREEXIT, nothing), each(YIELD, nothing)
