import { describe, expect, it } from "vitest";
import { projectId } from "../../../src/core/ids.ts";
import { Connection } from "../../../src/store/sqlite/connection.ts";
import { UnitMasks } from "../../../src/store/sqlite/derived/unit-masks.ts";
import { pack, placeVectors } from "../../../src/store/sqlite/derived/vector-blocks.ts";
import { VectorIndex } from "../../../src/store/sqlite/derived/vector-index.ts";
import { activateEmbedder, embedderId } from "../../../src/store/sqlite/derived/vector-store.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { openDriver } from "../../../src/store/sqlite/open-driver.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const COUNT = 18_000;
const DIMENSIONS = 128;
const PROJECT = projectId("named:large");

function someVectors(): Float32Array[] {
  const random = seededRandom(11);
  return Array.from({ length: COUNT }, () => {
    const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

describe("a shelf of many vectors", () => {
  it("finds nearly all that a plain scan finds, with the same scores", async () => {
    const driver = await openDriver({ path: ":memory:" });
    migrate(driver, { location: ":memory:", readOnly: false });
    const db = new Connection(driver, ":memory:");
    db.run(
      `WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?)
       INSERT INTO chunks (project, path, position, id, start_line, end_line, content_hash, headings, symbols, text)
       SELECT ?, 'a', k, k, 1, 1, '', '[]', '[]', '' FROM n`,
      [COUNT, PROJECT],
    );
    activateEmbedder(db, "large", DIMENSIONS);
    const vectors = someVectors();
    const shelf = { embedder: embedderId(db, "large"), unit: 1, slot: 1 };
    db.write(["units", "vectors"], () =>
      placeVectors(
        db,
        shelf,
        vectors.map((vector, at) => pack(at + 1, vector)),
      ),
    );
    const index = new VectorIndex(db, new UnitMasks(db));
    const filter = { unit: "chunk", projects: [PROJECT], user: false, statuses: [] } as const;
    let shared = 0;
    for (const query of vectors.slice(0, 10)) {
      const dot = (vector: Float32Array): number =>
        vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
      const plain = new Map(
        vectors
          .map((vector, at) => [at + 1, dot(vector)] as const)
          .sort(([, a], [, b]) => b - a)
          .slice(0, 10),
      );
      const hits = index.search({ query, slot: "body", filter, limit: 10 });
      expect(hits).toHaveLength(10);
      for (const { key, score } of hits) {
        if (plain.has(key)) shared += 1;
        expect(score).toBeCloseTo(dot(vectors[key - 1] ?? query), 2);
      }
    }
    expect(shared / 100).toBeGreaterThan(0.85);
    db.close();
  });
});
