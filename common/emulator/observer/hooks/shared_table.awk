# Reads the assembly of a checked build. Adds a gap after each thread-local variable, which is what a
# __shared__ variable becomes, and a table of where they are: offset, bytes, name.

function finish() {
  if (variable == "") return
  print "\t.zero\t64"
  variables[++count] = variable
  sizes[count] = bytes
  variable = ""
}

/^[ \t]*\.(section|data|bss|text)/ {
  finish()
  is_shared = $0 ~ /\.tbss|\.tdata/
}

is_shared && /^[^ \t.][^ \t]*:/ {
  finish()
  variable = $1
  sub(/:.*/, "", variable)
  bytes = 0
  print "\t.balign\t16"
}

{ print }

variable != "" && /^[ \t]*\.(zero|skip|space)[ \t]/ { bytes += $2 }
variable != "" && /^[ \t]*\.(long|int)[ \t]/ { bytes += 4 }
variable != "" && /^[ \t]*\.quad[ \t]/ { bytes += 8 }
variable != "" && /^[ \t]*\.byte[ \t]/ { bytes += 1 }

END {
  finish()
  if (count == 0 || !has_offsets) exit
  print "\t.section\ttilelab_shared,\"a\",@progbits"
  for (i = 1; i <= count; ++i) {
    print "\t.balign\t8"
    print "\t.quad\t" variables[i] "@dtpoff"
    print "\t.quad\t" sizes[i]
    print "\t.quad\t" length(variables[i])
    print "\t.ascii\t\"" variables[i] "\""
    print "\t.byte\t0"
  }
}
