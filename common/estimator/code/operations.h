#pragma once

/// The operations whose effect the estimator knows, each as an argument of the macro `each`.
#define TILELAB_OPERATIONS(each)                                                                   \
  each(ACQBULK) each(ATOM) each(ATOMG) each(ATOMS) each(BAR) each(BMSK) each(BRA) each(BREAK)      \
      each(BREV) each(BSSY) each(BSYNC) each(CALL) each(CCTL) each(CGAERRBAR) each(CS2R) each(     \
          DADD) each(DEPBAR) each(DFMA) each(DMUL) each(DSETP) each(ENDCOLLECTIVE) each(ERRBAR)    \
          each(EXIT) each(F2F) each(F2FP) each(F2I) each(FADD) each(FCHK) each(FENCE) each(FFMA)   \
              each(FLO) each(FMNMX) each(FMUL) each(FRND) each(FSEL) each(FSET) each(FSETP) each(  \
                  HADD2) each(HFMA2) each(HMNMX2) each(HMUL2) each(HSET2) each(HSETP2) each(I2F)   \
                  each(I2FP) each(IABS) each(IADD3) each(IDP) each(IMAD) each(ISETP) each(LD)      \
                      each(LDC) each(LDG) each(LDGDEPBAR) each(LDGSTS) each(LDL) each(LDS)         \
                          each(LEA) each(LOP3) each(MATCH) each(MEMBAR) each(MOV) each(MUFU)       \
                              each(NANOSLEEP) each(NOP) each(P2R) each(PLOP3) each(POPC)           \
                                  each(PREEXIT) each(PRMT) each(R2P) each(R2UR) each(RED)          \
                                      each(REDG) each(REDUX) each(RET) each(S2R) each(S2UR)        \
                                          each(SEL) each(SGXT) each(SHF) each(SHFL) each(ST)       \
                                              each(STG) each(STL) each(STS) each(UBREV) each(UFLO) \
                                                  each(UIADD3) each(UIMAD) each(UISETP) each(ULDC) \
                                                      each(ULEA) each(ULOP3) each(UMOV)            \
                                                          each(UPLOP3) each(UPOPC) each(UPRMT)     \
                                                              each(USEL) each(USGXT) each(USHF)    \
                                                                  each(VABSDIFF) each(VABSDIFF4)   \
                                                                      each(VIADD) each(VIADDMNMX)  \
                                                                          each(VIMNMX) each(       \
                                                                              VIMNMX3) each(VOTE)  \
                                                                              each(VOTEU)          \
                                                                                  each(WARPSYNC)   \
                                                                                      each(YIELD)
