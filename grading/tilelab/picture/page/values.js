// Turns the bytes that a store left into numbers, and numbers into short texts.

const SIZES = {
  char: 1, uchar: 1, bool: 1, short: 2, ushort: 2, int: 4, uint: 4, unsigned: 4, float: 4,
  long: 8, ulong: 8, longlong: 8, ulonglong: 8, size_t: 8, double: 8, word: 4,
};
const READERS = {
  char: "getInt8", uchar: "getUint8", bool: "getUint8", short: "getInt16", ushort: "getUint16",
  int: "getInt32", uint: "getUint32", unsigned: "getUint32", float: "getFloat32",
  long: "getBigInt64", ulong: "getBigUint64", longlong: "getBigInt64", ulonglong: "getBigUint64",
  size_t: "getBigUint64", double: "getFloat64",
};

// A name without the spaces and the words that others write it with: "uchar" for "unsigned char"
// and "std::uint8_t".
function plainName(name) {
  const BY_BITS = { 8: "char", 16: "short", 32: "int", 64: "long" };
  const sized = /^(?:std::)?(u?)int(8|16|32|64)_t$/.exec(name);
  if (sized) return sized[1] + BY_BITS[sized[2]];
  return name.replace(/^unsigned( int)?$/, "uint").replace(/^unsigned /, "u")
             .replace(/^signed /, "").replace("long long", "longlong");
}

// "float4" has four components of type float.
function typeNamed(name) {
  const plain = plainName(name);
  const parts = /^([a-z_]+?)([1-4])?$/.exec(plain);
  if (parts === null || !(parts[1] in SIZES)) return null;
  return { base: parts[1], size: SIZES[parts[1]], components: Number(parts[2] || 1) };
}

function decode(digits, base, size) {
  if (base === "unknown") return "?";
  const bytes = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < size; ++i) bytes.setUint8(i, parseInt(digits.slice(2 * i, 2 * i + 2), 16));
  if (base in READERS) return String(bytes[READERS[base]](0, true));
  const whole = bytes.getInt32(0, true);
  return String(Math.abs(whole) < 1 << 24 ? whole : bytes.getFloat32(0, true));
}

// At most seven characters, with a real minus sign.
function short(text) {
  if (text === undefined) return "";
  let shown = text;
  if (text.length > 5 && Number.isFinite(Number(text))) {
    const number = Number(text);
    shown = String(Number(number.toPrecision(3)));
    if (shown.length > 7) shown = number.toExponential(0).replace("e+", "e");
  }
  return shown.replace("-", "\u2212");
}
