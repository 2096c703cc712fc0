// What nvcc 13 defines in its pass for the device in addition to nvcc.h. The caller defines
// __CUDA_ARCH__.
#define BUFSIZ 8192
#define CUDA_DOUBLE_MATH_FUNCTIONS 1
#define EOF (-1)
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_ctermid 9
#define L_cuserid 9
#define L_tmpnam 20
#define P_tmpdir "/tmp"
#define RENAME_EXCHANGE 1
#define RENAME_NOREPLACE 1
#define RENAME_WHITEOUT 1
#define SEEK_CUR 1
#define SEEK_DATA 3
#define SEEK_END 2
#define SEEK_HOLE 4
#define SEEK_SET 0
#define TMP_MAX 238328
#define _ASSERT_H 1
#define _ASSERT_H_DECLS
#define _BITS_STDIO_LIM_H 1
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define _IO_EOF_SEEN 0x0010
#define _IO_ERR_SEEN 0x0020
#define _IO_USER_LOCK 0x8000
#define _PRINTF_NAN_LEN_MAX 4
#define _STDIO_H 1
#define _VA_LIST_DEFINED
#define __ASSERT_FUNCTION 1
#define __ASSERT_VOID_CAST 1
#define __CUDA_AND_AT_LEAST_SM_70__
#define __CUDA_AND_AT_LEAST_SM_75__
#define __DELETE_THROW throw()
#define __DEVICE_ATOMIC_FUNCTIONS_HPP__
#define __FILE_defined 1
#define __GNUC_VA_LIST
#define __SM_100_RT_HPP__
#define __SM_20_ATOMIC_FUNCTIONS_HPP__
#define __SM_20_INTRINSICS_HPP__
#define __SM_30_INTRINSICS_HPP__
#define __SM_32_ATOMIC_FUNCTIONS_HPP__
#define __SM_32_INTRINSICS_HPP__
#define __SM_60_ATOMIC_FUNCTIONS_HPP__
#define __SM_61_INTRINSICS_HPP__
#define __SM_70_RT_HPP__
#define __SM_80_RT_HPP__
#define __SM_90_RT_HPP__
#define ____FILE_defined 1
#define _____fpos64_t_defined 1
#define _____fpos_t_defined 1
#define ____mbstate_t_defined 1
#define __attr_dealloc_fclose 1
#define __cookie_io_functions_t_defined 1
#define __feof_unlocked_body 1
#define __ferror_unlocked_body 1
#define __getc_unlocked_body 1
#define __putc_unlocked_body 1
#define __struct_FILE_defined 1
#define assert 1
#define assert_perror 1
#define stderr stderr
#define stdin stdin
#define stdout stdout
