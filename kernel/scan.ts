/**
 * The vector scan's inner loops: exact dot products of an int16 query with stored int8 vectors, and
 * for very many vectors a first pass over sign codes.
 *
 * Vectors lie in blocks of 1,024. A block holds, for a stride of S bytes a vector (the dimensions,
 * rounded up to a multiple of 16, zeros behind):
 *   u8[1024] mask · f32[1024] scales · int8[1024][S] codes · u8[1024][S / 8] signs · u16[1024] distances
 * so memory grows by whole blocks and nothing ever moves.
 */

export const BLOCK: i32 = 1024;
/** Most results of one scan. */
export const MAX_RESULTS: i32 = 4096;
/** Longest stride. */
export const MAX_STRIDE: i32 = 4096;

/** The query's int16 codes. */
export const QUERY: usize = 1024;
/** Its sign bits. */
export const QUERY_SIGNS: usize = QUERY + 4096 * 2;
/** Best scores so far, best first: f32. */
export const SCORES: usize = QUERY_SIGNS + 4096 / 8;
/** Their indices: u32. */
export const INDICES: usize = SCORES + 4096 * 4;
/** How many vectors lie at each Hamming distance: u32. */
export const HISTOGRAM: usize = INDICES + 4096 * 4;
/** First block. */
export const BLOCKS: usize = 65536;

let wanted: i32 = 0;
let found: i32 = 0;
/** Score to beat once `wanted` results are there. */
let bar: f32 = 0;

/** Forgets earlier results and wants the best `limit` (1…MAX_RESULTS) from now on. */
export function begin(limit: i32): void {
  wanted = limit;
  found = 0;
  bar = -Infinity;
}

/** How many results there are. */
export function count(): i32 {
  return found;
}

/** Bytes of a block. */
export function blockBytes(stride: i32): usize {
  return 1024 * (7 + <usize>stride + (<usize>stride >> 3));
}

/** Puts a result in its place; of equal scores the first seen stays ahead. */
function keep(score: f32, index: i32): void {
  let low = 0;
  let high = found;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f32>(SCORES + <usize>middle * 4) >= score) low = middle + 1;
    else high = middle;
  }
  if (found < wanted) found++;
  const moved = <usize>(found - 1 - low) * 4;
  const scoreAt = SCORES + <usize>low * 4;
  const indexAt = INDICES + <usize>low * 4;
  memory.copy(scoreAt + 4, scoreAt, moved);
  memory.copy(indexAt + 4, indexAt, moved);
  store<f32>(scoreAt, score);
  store<u32>(indexAt, index);
  if (found == wanted) bar = load<f32>(SCORES + <usize>(found - 1) * 4);
}

// @ts-ignore: decorator
@inline function sumLanes(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}

/** Exact dot product of the query with one vector. */
export function dot(codes: usize, stride: i32): i32 {
  let a = i32x4.splat(0), b = i32x4.splat(0);
  for (let at: usize = 0; at < <usize>stride; at += 16) {
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load8x8_s(codes + at), v128.load(QUERY + at * 2)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load8x8_s(codes + at, 8), v128.load(QUERY + at * 2, 16)));
  }
  return sumLanes(i32x4.add(a, b));
}

/** Scores of four vectors in a row: dot × scale. */
// @ts-ignore: decorator
@inline function scoreFour(codes: usize, scales: usize, stride: i32): v128 {
  const size = <usize>stride;
  let a = i32x4.splat(0), b = i32x4.splat(0), c = i32x4.splat(0), d = i32x4.splat(0);
  for (let at: usize = 0; at < size; at += 8) {
    const query = v128.load(QUERY + at * 2);
    const code = codes + at;
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load8x8_s(code), query));
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load8x8_s(code + size), query));
    c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load8x8_s(code + 2 * size), query));
    d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load8x8_s(code + 3 * size), query));
  }
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  const sums = i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
  return f32x4.mul(f32x4.convert_i32x4_s(sums), v128.load(scales));
}

/**
 * Scans the first `vectors` of a block, exactly; entries whose mask byte is 0 are passed over.
 * The block's tail may hold anything: masks beyond `vectors` must be 0.
 */
export function scanBlock(block: usize, vectors: i32, stride: i32, first: i32): void {
  const scales = block + 1024;
  const codes = scales + 4096;
  for (let index = 0; index < vectors; index += 4) {
    const mask = load<u32>(block + <usize>index);
    if (mask == 0) continue;
    const scores = scoreFour(codes + <usize>(index * stride), scales + <usize>index * 4, stride);
    if (!v128.any_true(f32x4.gt(scores, f32x4.splat(bar)))) continue;
    if ((mask & 0xff) != 0 && f32x4.extract_lane(scores, 0) > bar) keep(f32x4.extract_lane(scores, 0), first + index);
    if ((mask & 0xff00) != 0 && f32x4.extract_lane(scores, 1) > bar) keep(f32x4.extract_lane(scores, 1), first + index + 1);
    if ((mask & 0xff0000) != 0 && f32x4.extract_lane(scores, 2) > bar) keep(f32x4.extract_lane(scores, 2), first + index + 2);
    if ((mask & 0xff000000) != 0 && f32x4.extract_lane(scores, 3) > bar) keep(f32x4.extract_lane(scores, 3), first + index + 3);
  }
}

/** Sign bits of `vectors` vectors from number `from` on in a block, out of their codes. */
export function packSigns(block: usize, from: i32, vectors: i32, stride: i32): void {
  const codes = block + 1024 + 4096 + <usize>(from * stride);
  const signs = block + 1024 + 4096 + 1024 * <usize>stride + <usize>((from * stride) >> 3);
  const bytes = <usize>(vectors * stride);
  for (let at: usize = 0; at < bytes; at += 16) store<u16>(signs + (at >> 3), i8x16.bitmask(v128.load(codes + at)));
}

/** The query's sign bits, out of its codes; and an empty histogram. */
export function beginSigns(stride: i32): void {
  for (let at: usize = 0; at < <usize>stride; at += 16) {
    const codes = i8x16.narrow_i16x8_s(v128.load(QUERY + at * 2), v128.load(QUERY + at * 2, 16));
    store<u16>(QUERY_SIGNS + (at >> 3), i8x16.bitmask(codes));
  }
  memory.fill(HISTOGRAM, 0, <usize>(stride + 1) * 4);
}

/** Hamming distance of each allowed vector's signs to the query's → the block's distances and the histogram. */
export function measureBlock(block: usize, vectors: i32, stride: i32): void {
  const size = <usize>stride >> 3;
  let signs = block + 1024 + 4096 + 1024 * <usize>stride;
  const distances = signs + 1024 * size;
  for (let index: usize = 0; index < <usize>vectors; index++) {
    if (load<u8>(block + index) != 0) {
      let distance: usize = 0;
      let at: usize = 0;
      for (; at + 8 <= size; at += 8) {
        distance += <usize>popcnt<u64>(load<u64>(signs + at) ^ load<u64>(QUERY_SIGNS + at));
      }
      for (; at < size; at += 2) {
        distance += <usize>popcnt<u32>(<u32>(load<u16>(signs + at) ^ load<u16>(QUERY_SIGNS + at)));
      }
      store<u16>(distances + index * 2, <u16>distance);
      const bucket = HISTOGRAM + distance * 4;
      store<u32>(bucket, load<u32>(bucket) + 1);
    }
    signs += size;
  }
}

/** Smallest distance within which at least `vectors` vectors lie; the stride if there are fewer. */
export function distanceWithin(vectors: i32, stride: i32): i32 {
  let sum = 0;
  for (let distance = 0; distance < stride; distance++) {
    sum += load<u32>(HISTOGRAM + <usize>distance * 4);
    if (sum >= vectors) return distance;
  }
  return stride;
}

/** Scores, exactly, the allowed vectors of a block that lie within `distance`, after `measureBlock`. */
export function rescoreBlock(block: usize, vectors: i32, stride: i32, first: i32, distance: i32): void {
  const scales = block + 1024;
  const codes = scales + 4096;
  const distances = codes + 1024 * <usize>stride + 1024 * (<usize>stride >> 3);
  for (let index = 0; index < vectors; index++) {
    if (<i32>load<u16>(distances + <usize>index * 2) > distance || load<u8>(block + <usize>index) == 0) continue;
    const score = <f32>dot(codes + <usize>(index * stride), stride) * load<f32>(scales + <usize>index * 4);
    if (score > bar) keep(score, first + index);
  }
}
