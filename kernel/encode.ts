/**
 * The encoder's inner loops: the BERT of all-MiniLM-L6-v2 (6 layers, 12 heads, width 384), one
 * sequence at a time. AssemblyScript, compiled to WebAssembly SIMD. Weights are int8, activations are
 * quantised to int16 before each matrix product, everything else is f32. WASM floats are the same on
 * every CPU, so a text has one vector everywhere.
 *
 * Every step that takes long is an exported function that is called many times. The engine replaces
 * a function by its optimised code only between calls, and the compiler inlines what is called from
 * one place and not exported.
 */

const WIDTH: i32 = 384;
const HEAD: i32 = 32;
const HEADS: i32 = 12;
const LAYERS: i32 = 6;
const UP: i32 = 1536;
const STACKED: i32 = 1152;
const PANEL: i32 = 8;

/** Most tokens of a sequence. */
export const MAX_TOKENS: i32 = 256;
/** Rows of the activation buffers: tiles may reach up to three rows past the last token. */
const BUFFER_ROWS: usize = 260;

/** Sizes of the dense section's parts; a matrix has a scale and a bias for each output. */
const NORM_BYTES: usize = 384 * 8;
const QKV_BYTES: usize = 1152 * 384 + 1152 * 8;
const OUT_BYTES: usize = 384 * 384 + 384 * 8;
const UP_BYTES: usize = 1536 * 384 + 1536 * 8;
const DOWN_BYTES: usize = 384 * 1536 + 384 * 8;
const LAYER_BYTES: usize = QKV_BYTES + OUT_BYTES + NORM_BYTES + UP_BYTES + DOWN_BYTES + NORM_BYTES;
const POSITION_BYTES: usize = 256 * 384 * 4;

/** Where the dense section of the model file goes, and its size. */
export const DENSE: usize = 1024;
export const DENSE_BYTES: usize = NORM_BYTES + POSITION_BYTES + 6 * LAYER_BYTES;
/** Where the word row of each token goes: f32 scale, int8[384]. */
export const ROWS: usize = DENSE + DENSE_BYTES;
export const ROW_BYTES: usize = 388;
/** The result: 384 f32 of unit length. */
export const VECTOR: usize = ROWS + 256 * ROW_BYTES;
/** Hidden states, f32[260][384]. */
export const HIDDEN: usize = VECTOR + 384 * 4;
/** Query, key and value of each token, f32[260][1152]. */
export const QKV: usize = HIDDEN + BUFFER_ROWS * 384 * 4;
/** Attention's output, and after it a matrix product's, f32[260][384]. */
export const MIXED: usize = QKV + BUFFER_ROWS * 1152 * 4;
/** The wide layer between up and down, f32[260][1536]. */
export const WIDE: usize = MIXED + BUFFER_ROWS * 384 * 4;
/** Quantised activations, int16[260][at most 1536], and one f32 scale a token. */
export const CODES: usize = WIDE + BUFFER_ROWS * 1536 * 4;
export const SCALES: usize = CODES + BUFFER_ROWS * 1536 * 2;
/** Keys of one head, transposed: f32[32][256]. */
const KEYS: usize = SCALES + BUFFER_ROWS * 4;
/** Attention weights of four queries: f32[4][256]. */
const WEIGHTS: usize = KEYS + 32 * 256 * 4;
/** Memory that encoding takes, in bytes. */
export const ENCODE_BYTES: usize = WEIGHTS + 4 * 256 * 4;

/** Largest int16 activation for K inputs: K · 127 · limit stays below 2³¹. */
const NARROW_LIMIT: f32 = 32767;
const WIDE_LIMIT: f32 = 8191;

// @ts-ignore: decorator
@inline function horizontalSum(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

// @ts-ignore: decorator
@inline function horizontalMax(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

// @ts-ignore: decorator
@inline function multiplyAdd(factor: v128, other: v128, sum: v128): v128 {
  return f32x4.add(f32x4.mul(factor, other), sum);
}

/** e^x for x ≤ 0 (2^n · 2^f, f in −½…½): minimax polynomial of degree 5, relative error 2e-7 in f32. */
// @ts-ignore: decorator
@inline function exponential(x: v128): v128 {
  const power = f32x4.max(f32x4.mul(x, f32x4.splat(1.4426950408889634)), f32x4.splat(-126));
  const whole = f32x4.nearest(power);
  const rest = f32x4.sub(power, whole);
  let value = f32x4.splat(1.3264727253e-3);
  value = multiplyAdd(value, rest, f32x4.splat(9.6715127858e-3));
  value = multiplyAdd(value, rest, f32x4.splat(5.5507337445e-2));
  value = multiplyAdd(value, rest, f32x4.splat(2.4022242083e-1));
  value = multiplyAdd(value, rest, f32x4.splat(6.931469776e-1));
  value = multiplyAdd(value, rest, f32x4.splat(1));
  return i32x4.add(value, i32x4.shl(i32x4.trunc_sat_f32x4_s(whole), 23));
}

/** Layer norm of one row in place, after adding `added` to it. `norm`: f32 gain[384], then bias[384]. */
export function normaliseRow(row: usize, added: usize, norm: usize): void {
  let sums = f32x4.splat(0);
  for (let at: usize = 0; at < 1536; at += 16) {
    const value = f32x4.add(v128.load(row + at), v128.load(added + at));
    v128.store(row + at, value);
    sums = f32x4.add(sums, value);
  }
  const mean = f32x4.splat(horizontalSum(sums) / <f32>WIDTH);
  let squares = f32x4.splat(0);
  for (let at: usize = 0; at < 1536; at += 16) {
    const centred = f32x4.sub(v128.load(row + at), mean);
    squares = multiplyAdd(centred, centred, squares);
  }
  const scale = f32x4.splat(<f32>1 / sqrt<f32>(horizontalSum(squares) / <f32>WIDTH + <f32>1e-12));
  for (let at: usize = 0; at < 1536; at += 16) {
    const centred = f32x4.sub(v128.load(row + at), mean);
    const gained = f32x4.mul(f32x4.mul(centred, scale), v128.load(norm + at));
    v128.store(row + at, f32x4.add(gained, v128.load(norm + 1536 + at)));
  }
}

/** Word row + position row, normalised, into the hidden state of token `index`. */
export function embedToken(index: i32): void {
  const word = ROWS + <usize>index * ROW_BYTES;
  const row = HIDDEN + <usize>index * 1536;
  const scale = f32x4.splat(load<f32>(word));
  for (let at: usize = 0; at < 384; at += 8) {
    const values = v128.load8x8_s(word + 4 + at);
    v128.store(row + at * 4, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(values)), scale));
    v128.store(row + at * 4 + 16, f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(values)), scale));
  }
  normaliseRow(row, DENSE + NORM_BYTES + <usize>index * 1536, DENSE);
}

/**
 * Row of `width` f32 at `from` → int16 codes; value ≈ code · returned scale. Codes of four tokens are
 * interleaved, [width / 2][4 tokens][2], so the matrix product walks one pointer: `to` is the token's
 * place in the first group of four, the next pair follows 16 bytes further.
 */
export function quantiseRow(from: usize, to: usize, width: i32, limit: f32): f32 {
  const bytes = <usize>width * 4;
  let largest = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16) largest = f32x4.max(largest, f32x4.abs(v128.load(from + at)));
  const peak = horizontalMax(largest);
  const factor = f32x4.splat(peak > 0 ? limit / peak : 0);
  for (let at: usize = 0; at < bytes; at += 32) {
    const low = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(from + at), factor)));
    const high = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(from + at, 16), factor)));
    const codes = i16x8.narrow_i32x4_s(low, high);
    v128.store32_lane(to, codes, 0);
    v128.store32_lane(to, codes, 1, 16);
    v128.store32_lane(to, codes, 2, 32);
    v128.store32_lane(to, codes, 3, 48);
    to += 64;
  }
  return peak / limit;
}

// @ts-ignore: decorator
@inline function storeOutputs(sums: v128, to: usize, factors: v128, bias: v128): void {
  v128.store(to, multiplyAdd(f32x4.convert_i32x4_s(sums), factors, bias));
}

/**
 * Four tokens times one panel of eight outputs. A panel holds int8[inputs / 2][8 outputs][2 inputs],
 * so a pair of one token's activations, splatted, meets four outputs in each dot product.
 *
 * @param parameters - The panel's eight row scales; its eight biases lie `outputs` floats further.
 */
export function multiplyFour(panel: usize, parameters: usize, token: i32, inputs: i32, outputs: i32, to: usize): void {
  let codes = CODES + <usize>(token * inputs) * 2;
  const end = panel + <usize>inputs * 8;
  let a0 = i32x4.splat(0), a1 = i32x4.splat(0), b0 = i32x4.splat(0), b1 = i32x4.splat(0);
  let c0 = i32x4.splat(0), c1 = i32x4.splat(0), d0 = i32x4.splat(0), d1 = i32x4.splat(0);
  let low: v128, high: v128, pair: v128;
  for (; panel < end; panel += 32) {
    low = v128.load8x8_s(panel, 0);
    high = v128.load8x8_s(panel, 8);
    pair = v128.load32_splat(codes, 0);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, pair));
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 4);
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(low, pair));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 8);
    c0 = i32x4.add(c0, i32x4.dot_i16x8_s(low, pair));
    c1 = i32x4.add(c1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 12);
    d0 = i32x4.add(d0, i32x4.dot_i16x8_s(low, pair));
    d1 = i32x4.add(d1, i32x4.dot_i16x8_s(high, pair));
    low = v128.load8x8_s(panel, 16);
    high = v128.load8x8_s(panel, 24);
    pair = v128.load32_splat(codes, 16);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, pair));
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 20);
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(low, pair));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 24);
    c0 = i32x4.add(c0, i32x4.dot_i16x8_s(low, pair));
    c1 = i32x4.add(c1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 28);
    d0 = i32x4.add(d0, i32x4.dot_i16x8_s(low, pair));
    d1 = i32x4.add(d1, i32x4.dot_i16x8_s(high, pair));
    codes += 32;
  }
  const row = <usize>outputs * 4;
  const scaleLow = v128.load(parameters), scaleHigh = v128.load(parameters, 16);
  const biasLow = v128.load(parameters + row), biasHigh = v128.load(parameters + row, 16);
  const scales = SCALES + <usize>token * 4;
  let factor = v128.load32_splat(scales);
  storeOutputs(a0, to, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(a1, to + 16, f32x4.mul(scaleHigh, factor), biasHigh);
  factor = v128.load32_splat(scales, 4);
  storeOutputs(b0, to + row, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(b1, to + row + 16, f32x4.mul(scaleHigh, factor), biasHigh);
  factor = v128.load32_splat(scales, 8);
  storeOutputs(c0, to + 2 * row, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(c1, to + 2 * row + 16, f32x4.mul(scaleHigh, factor), biasHigh);
  factor = v128.load32_splat(scales, 12);
  storeOutputs(d0, to + 3 * row, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(d1, to + 3 * row + 16, f32x4.mul(scaleHigh, factor), biasHigh);
}

/** The same for the two tokens (or the one, and a row that nobody reads) that are left over. */
export function multiplyTwo(panel: usize, parameters: usize, token: i32, inputs: i32, outputs: i32, to: usize): void {
  let codes = CODES + <usize>(token * inputs) * 2;
  const end = panel + <usize>inputs * 8;
  let a0 = i32x4.splat(0), a1 = i32x4.splat(0), b0 = i32x4.splat(0), b1 = i32x4.splat(0);
  let low: v128, high: v128, pair: v128;
  for (; panel < end; panel += 32) {
    low = v128.load8x8_s(panel, 0);
    high = v128.load8x8_s(panel, 8);
    pair = v128.load32_splat(codes, 0);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, pair));
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 4);
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(low, pair));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(high, pair));
    low = v128.load8x8_s(panel, 16);
    high = v128.load8x8_s(panel, 24);
    pair = v128.load32_splat(codes, 16);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(low, pair));
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(high, pair));
    pair = v128.load32_splat(codes, 20);
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(low, pair));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(high, pair));
    codes += 32;
  }
  const row = <usize>outputs * 4;
  const scaleLow = v128.load(parameters), scaleHigh = v128.load(parameters, 16);
  const biasLow = v128.load(parameters + row), biasHigh = v128.load(parameters + row, 16);
  const scales = SCALES + <usize>token * 4;
  let factor = v128.load32_splat(scales);
  storeOutputs(a0, to, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(a1, to + 16, f32x4.mul(scaleHigh, factor), biasHigh);
  factor = v128.load32_splat(scales, 4);
  storeOutputs(b0, to + row, f32x4.mul(scaleLow, factor), biasLow);
  storeOutputs(b1, to + row + 16, f32x4.mul(scaleHigh, factor), biasHigh);
}

/** f32[tokens][inputs] at `from` × packed matrix + bias → f32[tokens][outputs] at `to`. */
export function multiply(from: usize, matrix: usize, tokens: i32, inputs: i32, outputs: i32, to: usize): void {
  const limit = inputs > WIDTH ? WIDE_LIMIT : NARROW_LIMIT;
  for (let token = 0; token < tokens; token++) {
    const codes = CODES + <usize>((token & ~3) * inputs) * 2 + <usize>(token & 3) * 4;
    store<f32>(SCALES + <usize>token * 4, quantiseRow(from + <usize>(token * inputs) * 4, codes, inputs, limit));
  }
  const parameters = matrix + <usize>(outputs * inputs);
  for (let output = 0; output < outputs; output += PANEL) {
    const panel = matrix + <usize>(output * inputs);
    const scales = parameters + <usize>output * 4;
    let token = 0;
    for (; token + 2 < tokens; token += 4) {
      multiplyFour(panel, scales, token, inputs, outputs, to + <usize>(token * outputs + output) * 4);
    }
    if (token < tokens) multiplyTwo(panel, scales, token, inputs, outputs, to + <usize>(token * outputs + output) * 4);
  }
}

/** GELU with erf, in place, of `bytes` of f32. erf: Abramowitz & Stegun 7.1.26, |error| ≤ 1.5e-7. */
export function activate(values: usize, bytes: usize): void {
  const one = f32x4.splat(1);
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(values + at);
    const z = f32x4.mul(f32x4.abs(x), f32x4.splat(0.7071067811865476));
    const t = f32x4.div(one, multiplyAdd(z, f32x4.splat(0.3275911), one));
    let sum = f32x4.splat(1.061405429);
    sum = multiplyAdd(sum, t, f32x4.splat(-1.453152027));
    sum = multiplyAdd(sum, t, f32x4.splat(1.421413741));
    sum = multiplyAdd(sum, t, f32x4.splat(-0.284496736));
    sum = multiplyAdd(sum, t, f32x4.splat(0.254829592));
    const tail = f32x4.mul(f32x4.mul(sum, t), exponential(f32x4.neg(f32x4.mul(z, z))));
    const half = f32x4.mul(x, f32x4.splat(0.5));
    const signed = f32x4.mul(f32x4.abs(half), f32x4.sub(one, tail));
    v128.store(values + at, f32x4.add(half, signed));
  }
}

/** Keys of one head → KEYS, transposed. `keys`: the head's part of the first token's key. */
export function transposeKeys(keys: usize, tokens: i32): void {
  for (let token = 0; token < tokens; token++) {
    const from = keys + <usize>(token * STACKED) * 4;
    const to = KEYS + <usize>token * 4;
    for (let at: usize = 0; at < 32; at++) store<f32>(to + at * 1024, load<f32>(from + at * 4));
  }
}

/** Dot products of four queries with eight keys → WEIGHTS. */
export function scoreKeys(query: usize, key: i32): void {
  let a0 = f32x4.splat(0), a1 = f32x4.splat(0), b0 = f32x4.splat(0), b1 = f32x4.splat(0);
  let c0 = f32x4.splat(0), c1 = f32x4.splat(0), d0 = f32x4.splat(0), d1 = f32x4.splat(0);
  const keys = KEYS + <usize>key * 4;
  for (let at: usize = 0; at < 32; at++) {
    const low = v128.load(keys + at * 1024);
    const high = v128.load(keys + at * 1024, 16);
    let value = v128.load32_splat(query + at * 4);
    a0 = multiplyAdd(value, low, a0);
    a1 = multiplyAdd(value, high, a1);
    value = v128.load32_splat(query + at * 4, 4608);
    b0 = multiplyAdd(value, low, b0);
    b1 = multiplyAdd(value, high, b1);
    value = v128.load32_splat(query + at * 4, 9216);
    c0 = multiplyAdd(value, low, c0);
    c1 = multiplyAdd(value, high, c1);
    value = v128.load32_splat(query + at * 4, 13824);
    d0 = multiplyAdd(value, low, d0);
    d1 = multiplyAdd(value, high, d1);
  }
  const to = WEIGHTS + <usize>key * 4;
  v128.store(to, a0);
  v128.store(to, a1, 16);
  v128.store(to, b0, 1024);
  v128.store(to, b1, 1040);
  v128.store(to, c0, 2048);
  v128.store(to, c1, 2064);
  v128.store(to, d0, 3072);
  v128.store(to, d1, 3088);
}

/** Softmax in place of one row of WEIGHTS. */
export function softmaxRow(row: usize, tokens: i32): void {
  const end = <usize>((tokens + 7) & ~7) * 4;
  for (let at = <usize>tokens * 4; at < end; at += 4) store<f32>(row + at, -1e30);
  let peaks = f32x4.splat(-1e30);
  for (let at: usize = 0; at < end; at += 16) peaks = f32x4.max(peaks, v128.load(row + at));
  const peak = f32x4.splat(horizontalMax(peaks));
  let sums = f32x4.splat(0);
  for (let at: usize = 0; at < end; at += 16) {
    const value = exponential(f32x4.sub(v128.load(row + at), peak));
    v128.store(row + at, value);
    sums = f32x4.add(sums, value);
  }
  const factor = f32x4.splat(<f32>1 / horizontalSum(sums));
  for (let at: usize = 0; at < end; at += 16) v128.store(row + at, f32x4.mul(v128.load(row + at), factor));
}

/** Weighted sums, for four queries, of eight columns of the values → four rows at `to`. */
export function mixValues(values: usize, tokens: i32, to: usize): void {
  let a0 = f32x4.splat(0), a1 = f32x4.splat(0), b0 = f32x4.splat(0), b1 = f32x4.splat(0);
  let c0 = f32x4.splat(0), c1 = f32x4.splat(0), d0 = f32x4.splat(0), d1 = f32x4.splat(0);
  const end = WEIGHTS + <usize>tokens * 4;
  for (let weight = WEIGHTS; weight < end; weight += 4) {
    const low = v128.load(values);
    const high = v128.load(values, 16);
    let value = v128.load32_splat(weight);
    a0 = multiplyAdd(value, low, a0);
    a1 = multiplyAdd(value, high, a1);
    value = v128.load32_splat(weight, 1024);
    b0 = multiplyAdd(value, low, b0);
    b1 = multiplyAdd(value, high, b1);
    value = v128.load32_splat(weight, 2048);
    c0 = multiplyAdd(value, low, c0);
    c1 = multiplyAdd(value, high, c1);
    value = v128.load32_splat(weight, 3072);
    d0 = multiplyAdd(value, low, d0);
    d1 = multiplyAdd(value, high, d1);
    values += 4608;
  }
  v128.store(to, a0);
  v128.store(to, a1, 16);
  v128.store(to, b0, 1536);
  v128.store(to, b1, 1552);
  v128.store(to, c0, 3072);
  v128.store(to, c1, 3088);
  v128.store(to, d0, 4608);
  v128.store(to, d1, 4624);
}

/** Attention of one head over QKV → its 32 columns of MIXED. The query is scaled by 1/√32 in the file. */
export function attendHead(head: i32, tokens: i32): void {
  const queries = QKV + <usize>(head * HEAD) * 4;
  const values = queries + 2 * 1536;
  transposeKeys(queries + 1536, tokens);
  for (let token = 0; token < tokens; token += 4) {
    const query = queries + <usize>(token * STACKED) * 4;
    for (let key = 0; key < tokens; key += 8) scoreKeys(query, key);
    for (let row = 0; row < 4; row++) softmaxRow(WEIGHTS + <usize>row * 1024, tokens);
    const to = MIXED + <usize>(token * WIDTH + head * HEAD) * 4;
    for (let at: usize = 0; at < 128; at += 32) mixValues(values + at, tokens, to + at);
  }
}

/** Mean of the hidden states, scaled to unit length, → VECTOR. */
export function pool(tokens: i32): void {
  let squares = f32x4.splat(0);
  for (let at: usize = 0; at < 1536; at += 16) {
    let sums = f32x4.splat(0);
    for (let token = 0; token < tokens; token++) {
      sums = f32x4.add(sums, v128.load(HIDDEN + <usize>token * 1536 + at));
    }
    squares = multiplyAdd(sums, sums, squares);
    v128.store(VECTOR + at, sums);
  }
  const factor = f32x4.splat(<f32>1 / sqrt<f32>(horizontalSum(squares)));
  for (let at: usize = 0; at < 1536; at += 16) v128.store(VECTOR + at, f32x4.mul(v128.load(VECTOR + at), factor));
}

/** Word rows of `tokens` (1…256) tokens at ROWS → VECTOR. */
export function encode(tokens: i32): void {
  for (let token = 0; token < tokens; token++) embedToken(token);
  let layer = DENSE + NORM_BYTES + POSITION_BYTES;
  for (let index = 0; index < LAYERS; index++) {
    const out = layer + QKV_BYTES;
    const attentionNorm = out + OUT_BYTES;
    const up = attentionNorm + NORM_BYTES;
    const down = up + UP_BYTES;
    const outputNorm = down + DOWN_BYTES;
    multiply(HIDDEN, layer, tokens, WIDTH, STACKED, QKV);
    for (let head = 0; head < HEADS; head++) attendHead(head, tokens);
    multiply(MIXED, out, tokens, WIDTH, WIDTH, WIDE);
    for (let token = 0; token < tokens; token++) {
      normaliseRow(HIDDEN + <usize>token * 1536, WIDE + <usize>token * 1536, attentionNorm);
    }
    multiply(HIDDEN, up, tokens, WIDTH, UP, WIDE);
    for (let token = 0; token < tokens; token++) activate(WIDE + <usize>token * 6144, 6144);
    multiply(WIDE, down, tokens, UP, WIDTH, MIXED);
    for (let token = 0; token < tokens; token++) {
      normaliseRow(HIDDEN + <usize>token * 1536, MIXED + <usize>token * 1536, outputNorm);
    }
    layer = outputNorm + NORM_BYTES;
  }
  pool(tokens);
}
