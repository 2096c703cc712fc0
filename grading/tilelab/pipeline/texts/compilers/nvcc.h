// How the macros of nvcc 13, in its pass for the host, differ from those of the emulator after
// cuda_runtime.h is included.
// clang-format off
#undef BUFSIZ
#undef DBL_DECIMAL_DIG
#undef DBL_DIG
#undef DBL_EPSILON
#undef DBL_HAS_SUBNORM
#undef DBL_MANT_DIG
#undef DBL_MAX
#undef DBL_MAX_10_EXP
#undef DBL_MAX_EXP
#undef DBL_MIN
#undef DBL_MIN_10_EXP
#undef DBL_MIN_EXP
#undef DBL_TRUE_MIN
#undef DECIMAL_DIG
#undef EOF
#undef FE_ALL_EXCEPT
#undef FE_DFL_ENV
#undef FE_DFL_MODE
#undef FE_DIVBYZERO
#undef FE_DOWNWARD
#undef FE_INEXACT
#undef FE_INVALID
#undef FE_NOMASK_ENV
#undef FE_OVERFLOW
#undef FE_TONEAREST
#undef FE_TOWARDZERO
#undef FE_UNDERFLOW
#undef FE_UPWARD
#undef FILENAME_MAX
#undef FLT_DECIMAL_DIG
#undef FLT_DIG
#undef FLT_EPSILON
#undef FLT_EVAL_METHOD
#undef FLT_HAS_SUBNORM
#undef FLT_MANT_DIG
#undef FLT_MAX
#undef FLT_MAX_10_EXP
#undef FLT_MAX_EXP
#undef FLT_MIN
#undef FLT_MIN_10_EXP
#undef FLT_MIN_EXP
#undef FLT_RADIX
#undef FLT_ROUNDS
#undef FLT_TRUE_MIN
#undef FOPEN_MAX
#undef INT16_C
#undef INT16_MAX
#undef INT16_MIN
#undef INT16_WIDTH
#undef INT32_C
#undef INT32_MAX
#undef INT32_MIN
#undef INT32_WIDTH
#undef INT64_C
#undef INT64_MAX
#undef INT64_MIN
#undef INT64_WIDTH
#undef INT8_C
#undef INT8_MAX
#undef INT8_MIN
#undef INT8_WIDTH
#undef INTMAX_C
#undef INTMAX_MAX
#undef INTMAX_MIN
#undef INTMAX_WIDTH
#undef INTPTR_MAX
#undef INTPTR_MIN
#undef INTPTR_WIDTH
#undef INT_FAST16_MAX
#undef INT_FAST16_MIN
#undef INT_FAST16_WIDTH
#undef INT_FAST32_MAX
#undef INT_FAST32_MIN
#undef INT_FAST32_WIDTH
#undef INT_FAST64_MAX
#undef INT_FAST64_MIN
#undef INT_FAST64_WIDTH
#undef INT_FAST8_MAX
#undef INT_FAST8_MIN
#undef INT_FAST8_WIDTH
#undef INT_LEAST16_MAX
#undef INT_LEAST16_MIN
#undef INT_LEAST16_WIDTH
#undef INT_LEAST32_MAX
#undef INT_LEAST32_MIN
#undef INT_LEAST32_WIDTH
#undef INT_LEAST64_MAX
#undef INT_LEAST64_MIN
#undef INT_LEAST64_WIDTH
#undef INT_LEAST8_MAX
#undef INT_LEAST8_MIN
#undef INT_LEAST8_WIDTH
#undef LDBL_DECIMAL_DIG
#undef LDBL_DIG
#undef LDBL_EPSILON
#undef LDBL_HAS_SUBNORM
#undef LDBL_MANT_DIG
#undef LDBL_MAX
#undef LDBL_MAX_10_EXP
#undef LDBL_MAX_EXP
#undef LDBL_MIN
#undef LDBL_MIN_10_EXP
#undef LDBL_MIN_EXP
#undef LDBL_TRUE_MIN
#undef L_ctermid
#undef L_cuserid
#undef L_tmpnam
#undef PTRDIFF_MAX
#undef PTRDIFF_MIN
#undef PTRDIFF_WIDTH
#undef P_tmpdir
#undef RENAME_EXCHANGE
#undef RENAME_NOREPLACE
#undef RENAME_WHITEOUT
#undef SEEK_CUR
#undef SEEK_DATA
#undef SEEK_END
#undef SEEK_HOLE
#undef SEEK_SET
#undef SIG_ATOMIC_MAX
#undef SIG_ATOMIC_MIN
#undef SIG_ATOMIC_WIDTH
#undef SIZE_MAX
#undef SIZE_WIDTH
#undef TMP_MAX
#undef UINT16_C
#undef UINT16_MAX
#undef UINT16_WIDTH
#undef UINT32_C
#undef UINT32_MAX
#undef UINT32_WIDTH
#undef UINT64_C
#undef UINT64_MAX
#undef UINT64_WIDTH
#undef UINT8_C
#undef UINT8_MAX
#undef UINT8_WIDTH
#undef UINTMAX_C
#undef UINTMAX_MAX
#undef UINTMAX_WIDTH
#undef UINTPTR_MAX
#undef UINTPTR_WIDTH
#undef UINT_FAST16_MAX
#undef UINT_FAST16_WIDTH
#undef UINT_FAST32_MAX
#undef UINT_FAST32_WIDTH
#undef UINT_FAST64_MAX
#undef UINT_FAST64_WIDTH
#undef UINT_FAST8_MAX
#undef UINT_FAST8_WIDTH
#undef UINT_LEAST16_MAX
#undef UINT_LEAST16_WIDTH
#undef UINT_LEAST32_MAX
#undef UINT_LEAST32_WIDTH
#undef UINT_LEAST64_MAX
#undef UINT_LEAST64_WIDTH
#undef UINT_LEAST8_MAX
#undef UINT_LEAST8_WIDTH
#undef WCHAR_MAX
#undef WCHAR_MIN
#undef WCHAR_WIDTH
#undef WINT_MAX
#undef WINT_MIN
#undef WINT_WIDTH
#undef _ASSERT_H
#undef _ASSERT_H_DECLS
#undef _BITS_STDINT_UINTN_H
#undef _BITS_STDIO_LIM_H
#undef _BITS_WCHAR_H
#undef _FENV_H
#undef _FLOAT_H___
#undef _GCC_WRAP_STDINT_H
#undef _GLIBCXX_BIT
#undef _GLIBCXX_CFENV
#undef _GLIBCXX_CFLOAT
#undef _GLIBCXX_CLIMITS
#undef _GLIBCXX_CSTDDEF
#undef _GLIBCXX_CSTDINT
#undef _GLIBCXX_CSTDIO
#undef _GLIBCXX_CSTRING
#undef _GLIBCXX_FENV_H
#undef _GLIBCXX_INVOKE_H
#undef _GLIBCXX_NUMBERS
#undef _GLIBCXX_SRCLOC
#undef _GLIBCXX_TUPLE
#undef _IOFBF
#undef _IOLBF
#undef _IONBF
#undef _IO_EOF_SEEN
#undef _IO_ERR_SEEN
#undef _IO_USER_LOCK
#undef _PRINTF_NAN_LEN_MAX
#undef _STDINT_H
#undef _STDIO_H
#undef _USES_ALLOCATOR_H
#undef _VA_LIST_DEFINED
#undef __ASSERT_FUNCTION
#undef __ASSERT_VOID_CAST
#undef __FILE_defined
#undef __GNUC_VA_LIST
#undef __STDC_CONSTANT_MACROS
#undef __STDC_LIMIT_MACROS
#undef __WCHAR_MAX
#undef __WCHAR_MIN
#undef ____FILE_defined
#undef _____fpos64_t_defined
#undef _____fpos_t_defined
#undef ____mbstate_t_defined
#undef __attr_dealloc_fclose
#undef __cookie_io_functions_t_defined
#undef __cpp_lib_apply
#undef __cpp_lib_bit_cast
#undef __cpp_lib_bitops
#undef __cpp_lib_byte
#undef __cpp_lib_constexpr_tuple
#undef __cpp_lib_endian
#undef __cpp_lib_int_pow2
#undef __cpp_lib_make_from_tuple
#undef __cpp_lib_math_constants
#undef __cpp_lib_source_location
#undef __feof_unlocked_body
#undef __ferror_unlocked_body
#undef __getc_unlocked_body
#undef __intptr_t_defined
#undef __putc_unlocked_body
#undef __struct_FILE_defined
#undef assert
#undef assert_perror
#undef stderr
#undef stdin
#undef stdout
#define ADJ_ESTERROR 0x0008
#define ADJ_FREQUENCY 0x0002
#define ADJ_MAXERROR 0x0004
#define ADJ_MICRO 0x1000
#define ADJ_NANO 0x2000
#define ADJ_OFFSET 0x0001
#define ADJ_OFFSET_SINGLESHOT 0x8001
#define ADJ_OFFSET_SS_READ 0xa001
#define ADJ_SETOFFSET 0x0100
#define ADJ_STATUS 0x0010
#define ADJ_TAI 0x0080
#define ADJ_TICK 0x4000
#define ADJ_TIMECONST 0x0020
#define CLOCKS_PER_SEC 1
#define CLOCK_BOOTTIME 7
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_MONOTONIC 1
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_REALTIME 0
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_TAI 11
#define CLOCK_THREAD_CPUTIME_ID 3
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_DEVICE __device__
#define CUDA_IPC_HANDLE_SIZE 64
#define CU_UUID_HAS_BEEN_DEFINED
#define MOD_CLKA ADJ_OFFSET_SINGLESHOT
#define MOD_CLKB ADJ_TICK
#define MOD_ESTERROR ADJ_ESTERROR
#define MOD_FREQUENCY ADJ_FREQUENCY
#define MOD_MAXERROR ADJ_MAXERROR
#define MOD_MICRO ADJ_MICRO
#define MOD_NANO ADJ_NANO
#define MOD_OFFSET ADJ_OFFSET
#define MOD_STATUS ADJ_STATUS
#define MOD_TAI ADJ_TAI
#define MOD_TIMECONST ADJ_TIMECONST
#define STA_CLK 0x8000
#define STA_CLOCKERR 0x1000
#define STA_DEL 0x0020
#define STA_FLL 0x0008
#define STA_FREQHOLD 0x0080
#define STA_INS 0x0010
#define STA_MODE 0x4000
#define STA_NANO 0x2000
#define STA_PLL 0x0001
#define STA_PPSERROR 0x0800
#define STA_PPSFREQ 0x0002
#define STA_PPSJITTER 0x0200
#define STA_PPSSIGNAL 0x0100
#define STA_PPSTIME 0x0004
#define STA_PPSWANDER 0x0400
#define STA_RONLY 1
#define STA_UNSYNC 0x0040
#define TIMER_ABSTIME 1
#define TIME_UTC 1
#define _ACRTIMP
#define _BITS_TIMEX_H 1
#define _BITS_TIME_H 1
#define _CRTIMP
#define _CTYPE_H 1
#define _GLIBCXX_UTILITY 1
#define _INITIALIZER_LIST
#define _ISbit 1
#define _STL_RELOPS_H 1
#define _TIME_H 1
#define __CHANNEL_DESCRIPTOR_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
#define __CUDART_API_PTDS 1
#define __CUDART_API_PTSZ 1
#define __CUDA_ARCH_HAS_FEATURE__ 1
#define __CUDA_ARCH_LIST__ 750
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC 1
#define __CUDA_HAS_ARCH_SPECIFIC 1
#define __CUDA_MATH_CRTIMP
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_HPP__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_HPP__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __HOST_CONFIG_H__
#define __HOST_DEFINES_H__
#define __LIBRARY_TYPES_H__
#define __MATH_FUNCTIONS_HPP__
#define __MATH_FUNCTIONS_H__
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __NVCC__ 1
#define __NV_ATOMIC_ADDRESSOF 1
#define __NV_ATOMIC_ALIGNOF __alignof
#define __NV_ATOMIC_REQUIRES 1
#define __NV_ATOMIC_RET 1
#define __NV_ATOMIC_RET_TYPE 1
#define __NV_ATOMIC_TEMP 1
#define __NV_ATOMIC_TRIVIALLY_COPYABLE 1
#define __NV_GLIBCXX_VERSION 1
#define __NV_GLIBC_PROVIDES_IEC_60559_FUNCS 0
#define __NV_SILENCE_DEPRECATION_BEGIN 1
#define __NV_SILENCE_DEPRECATION_END 1
#define __NV_SILENCE_HOST_DEPRECATION_BEGIN 1
#define __NV_SILENCE_HOST_DEPRECATION_END 1
#define __SM_100_RT_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SM_70_RT_H__
#define __SM_80_RT_H__
#define __SM_90_RT_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_HPP__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __annotate__ 1
#define __builtin_align__ 1
#define __cdecl
#define __cpp_lib_as_const 201510L
#define __cpp_lib_exchange_function 201304L
#define __cpp_lib_integer_comparison_functions 202002L
#define __cudaCDP2DeviceGetAttribute
#define __cudaCDP2DeviceGetCacheConfig
#define __cudaCDP2DeviceGetLimit
#define __cudaCDP2DeviceGetSharedMemConfig
#define __cudaCDP2EventCreateWithFlags
#define __cudaCDP2EventDestroy
#define __cudaCDP2EventRecord
#define __cudaCDP2EventRecordWithFlags
#define __cudaCDP2EventRecordWithFlags_ptsz
#define __cudaCDP2EventRecord_ptsz
#define __cudaCDP2Free
#define __cudaCDP2FuncGetAttributes
#define __cudaCDP2GetDevice
#define __cudaCDP2GetDeviceCount
#define __cudaCDP2GetErrorName
#define __cudaCDP2GetErrorString
#define __cudaCDP2GetLastError
#define __cudaCDP2GetParameterBuffer
#define __cudaCDP2GetParameterBufferV2
#define __cudaCDP2LaunchDevice
#define __cudaCDP2LaunchDeviceV2
#define __cudaCDP2LaunchDeviceV2_ptsz
#define __cudaCDP2LaunchDevice_ptsz
#define __cudaCDP2Malloc
#define __cudaCDP2Memcpy2DAsync
#define __cudaCDP2Memcpy2DAsync_ptsz
#define __cudaCDP2Memcpy3DAsync
#define __cudaCDP2Memcpy3DAsync_ptsz
#define __cudaCDP2MemcpyAsync
#define __cudaCDP2MemcpyAsync_ptsz
#define __cudaCDP2Memset2DAsync
#define __cudaCDP2Memset2DAsync_ptsz
#define __cudaCDP2Memset3DAsync
#define __cudaCDP2Memset3DAsync_ptsz
#define __cudaCDP2MemsetAsync
#define __cudaCDP2MemsetAsync_ptsz
#define __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor
#define __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags
#define __cudaCDP2PeekAtLastError
#define __cudaCDP2RuntimeGetVersion
#define __cudaCDP2StreamCreateWithFlags
#define __cudaCDP2StreamDestroy
#define __cudaCDP2StreamWaitEvent
#define __cudaCDP2StreamWaitEvent_ptsz
#define __cudaGet_blockDim 1
#define __cudaGet_blockIdx 1
#define __cudaGet_gridDim 1
#define __cudaGet_threadIdx 1
#define __cudaGet_warpSize 1
#define __cudart_builtin__ __location__(cudart_builtin)
#define __device_builtin__ __location__(device_builtin)
#define __device_builtin_surface_type__ __location__(device_builtin_surface_type)
#define __device_builtin_texture_type__ __location__(device_builtin_texture_type)
#define __exctype 1
#define __exctype_l 1
#define __export__
#define __import__
#define __inline_hint__ __attribute__((nv_inline_hint))
#define __isalnum_l 1
#define __isalpha_l 1
#define __isascii 1
#define __isascii_l 1
#define __isblank_l 1
#define __iscntrl_l 1
#define __isctype_l 1
#define __isdigit_l 1
#define __isgraph_l 1
#define __isleap 1
#define __islower_l 1
#define __isprint_l 1
#define __ispunct_l 1
#define __isspace_l 1
#define __isupper_l 1
#define __isxdigit_l 1
#define __itimerspec_defined 1
#define __location__ 1
#define __no_return__ __attribute__((noreturn))
#define __nv_pure__ __location__(nv_pure)
#define __specialization_static
#define __struct_tm_defined 1
#define __thread__ __thread
#define __tile__ __location__(tile)
#define __tile_builtin__ __location__(tile_builtin)
#define __tile_global__ __location__(tile_global)
#define __toascii 1
#define __toascii_l 1
#define __tobody 1
#define _tolower 1
#define _toupper 1
#define cudaArrayColorAttachment 0x20
#define cudaArrayCubemap 0x04
#define cudaArrayDefault 0x00
#define cudaArrayDeferredMapping 0x80
#define cudaArrayLayered 0x01
#define cudaArraySparse 0x40
#define cudaArraySparsePropertiesSingleMipTail 0x1
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayTextureGather 0x08
#define cudaCpuDeviceId ((int)-1)
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceLmemResizeToMax 0x10
#define cudaDeviceMapHost 0x08
#define cudaDeviceMask 0xff
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceSyncMemops 0x80
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01
#define cudaExternalMemoryDedicated 0x1
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortLaunchCompletion 2
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaInitDeviceFlagsAreValid 0x01
#define cudaInvalidDeviceId ((int)-2)
#define cudaIpcMemLazyEnablePeerAccess 0x01
#define cudaKernelNodeAttrID cudaLaunchAttributeID
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaLaunchAttributeClusterSchedulingPolicyPreference
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode
#define cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaMemPoolCreateUsageHwDecompress 0x2
#define cudaNvSciSyncAttrSignal 0x1
#define cudaNvSciSyncAttrWait 0x2
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaPeerAccessDefault 0x00
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphFireAndForget (cudaStream_t)0x0200000000000000
#define cudaStreamGraphFireAndForgetAsSibling (cudaStream_t)0x0300000000000000
#define cudaStreamGraphTailLaunch (cudaStream_t)0x0100000000000000
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceTypeCubemapLayered 0xFC
#define cudaTextureType1D 0x01
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2D 0x02
#define cudaTextureType2DLayered 0xF2
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureTypeCubemapLayered 0xFC
#define isalnum_l 1
#define isalpha_l 1
#define isascii 1
#define isascii_l 1
#define isblank_l 1
#define iscntrl_l 1
#define isdigit_l 1
#define isgraph_l 1
#define islower_l 1
#define isprint_l 1
#define ispunct_l 1
#define isspace_l 1
#define isupper_l 1
#define isxdigit_l 1
#define toascii 1
#define toascii_l 1

// These differ between installations, so nobody may ask for them.
#pragma GCC poison __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ __CUDACC_VER_BUILD__ __CUDACC_VER__
#pragma GCC poison __CUDA_API_VER_MAJOR__ __CUDA_API_VER_MINOR__ CUDART_VERSION __CUDART_API_VERSION
