# Reads the assembly of a checked build. Adds a gap after each thread-local variable, which is what a
# __shared__ variable becomes, and a table of where they are: place, bytes, name. Other variables get
# a gap and a table, too: where one of them ends, no other one begins. `machine` is x86_64 or aarch64.
#
# Leaves out the calls that report reads of threadIdx and its like, as g++ writes them for x86-64.
# There are many, and the observer would drop each.

BEGIN {
  bytes_of[".byte"] = 1
  bytes_of[".hword"] = bytes_of[".short"] = bytes_of[".value"] = bytes_of[".2byte"] = 2
  bytes_of[".int"] = bytes_of[".long"] = bytes_of[".4byte"] = 4
  bytes_of[".quad"] = bytes_of[".xword"] = bytes_of[".8byte"] = 8
  bytes_of[".word"] = machine == "aarch64" ? 4 : 2
}

# After the bytes of a variable.
function finish() {
  if (other != "") {
    print "\t.zero\t16"
    others[++other_count] = other
    other_sizes[other_count] = bytes
    other = ""
  }
  if (variable == "") return
  print "\t.zero\t64"
  variables[++count] = variable
  sizes[count] = bytes
  variable = ""
}

# AArch64's assembler cannot write an offset into a table, but the linker writes it into the two
# instructions that add it to a register. They are never run: the reader takes it out of them.
function print_place(name) {
  if (machine == "aarch64") {
    print "\tadd\tx0, x0, #:tprel_hi12:" name ", lsl #12"
    print "\tadd\tx0, x0, #:tprel_lo12_nc:" name
  } else {
    print "\t.quad\t" name "@dtpoff"
  }
}

$1 ~ /^\.(globl|local|weak|hidden|align|balign|p2align|type)$/ { finish() }

/^[ \t]*\.(section|data|bss|text)/ {
  finish()
  is_shared = $0 ~ /\.tbss|\.tdata/
  has_others = $0 ~ /\.data|\.bss|[ \t]tilelab_constant/ && $0 !~ /\.rel\.ro/
}

has_others && /^[^ \t.][^ \t]*:/ {
  finish()
  other = $1
  sub(/:.*/, "", other)
  bytes = 0
}

is_shared && /^[^ \t.][^ \t]*:/ {
  finish()
  variable = $1
  sub(/:.*/, "", variable)
  bytes = 0
  print "\t.balign\t16"
}

$1 == ".comm" {
  split($2, parts, ",")
  others[++other_count] = parts[1]
  other_sizes[other_count] = parts[2]
  $0 = sprintf("\t.comm\t%s,%.0f,%s", parts[1], parts[2] + 16, parts[3])
}

held != "" {
  is_read = $1 == "call" && $2 ~ /^__tsan_read4(@PLT)?$/
  if (!is_read) print held
  held = ""
  if (is_read) next
}

$1 == "leaq" && $2 ~ /^([48]\+)?(threadIdx|blockIdx|blockDim|gridDim)\(%rip\),$/ && $3 == "%rdi" {
  held = $0
  next
}

{ print }

$1 ~ /^\.(zero|skip|space)$/ { bytes += $2 }
$1 in bytes_of { bytes += bytes_of[$1] }

function begin_table(section) { print "\t.section\t" section ",\"a\",@progbits" }

function print_size_and_name(size, name) {
  # print would round a size of gigabytes.
  printf "\t.quad\t%.0f\n", size
  print "\t.quad\t" length(name)
  print "\t.ascii\t\"" name "\""
  print "\t.byte\t0"
}

END {
  finish()
  if (count > 0) begin_table("tilelab_shared")
  for (i = 1; i <= count; ++i) {
    print "\t.balign\t8"
    print_place(variables[i])
    print_size_and_name(sizes[i], variables[i])
  }
  if (other_count > 0) begin_table("tilelab_variables")
  for (i = 1; i <= other_count; ++i) {
    print "\t.balign\t8"
    print "\t.quad\t" others[i] " - ."
    print_size_and_name(other_sizes[i], others[i])
  }
}
