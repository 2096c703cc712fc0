// Reads what picture/packing.py has made short.

function numbersIn(list) {
  if (!list || Array.isArray(list)) return list;
  const numbers = [];
  for (let i = 0; i < list.runs.length; i += 3) {
    const [first, distance, count] = list.runs.slice(i, i + 3);
    for (let k = 0; k < count; ++k) numbers.push(first + k * distance);
  }
  return numbers;
}

function unpacked(step) {
  const whole = { ...step };
  for (const name of ["lanes", "arrays", "offsets", "batches", "from_arrays", "from_offsets"]) {
    if (name in step) whole[name] = numbersIn(step[name]);
  }
  if (typeof step.values === "string") {
    const length = step.values.length / whole.lanes.length;
    whole.values = whole.lanes.map((_, i) => step.values.slice(i * length, (i + 1) * length));
  }
  return whole;
}
