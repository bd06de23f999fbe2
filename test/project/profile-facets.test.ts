import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProfileFacet } from "../../src/core/profile.ts";
import { readProfileFacets } from "../../src/project/profile-facets.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "arcticmem-facets-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string, ageSeconds = 0): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const at = Date.now() / 1_000 - ageSeconds;
  utimesSync(file, at, at);
}

const NOTEBOOK: ProfileFacet = { name: "open notebook", weight: 0.9, files: ["*.ipynb", "*.sql"], variables: [] };
const read = (facet: Partial<ProfileFacet> = {}, variables: Record<string, string> = {}) =>
  readProfileFacets([{ ...NOTEBOOK, ...facet }], { root, variables });

describe("readProfileFacets", () => {
  it("reads the notebook that was saved last: what it is about, and the tables that it asks", () => {
    const cells = [{ source: ["# Churn by cohort\n"] }, { source: "df = q('select * from mart.churn_scores')" }];
    write("work/churn.ipynb", JSON.stringify({ cells }));
    write("old.ipynb", JSON.stringify({ cells: [{ source: "# Stale" }] }), 900);
    const [facet] = read();
    expect(facet).toMatchObject({ name: "open notebook", weight: 0.9, file: "churn.ipynb" });
    expect(facet?.text).toMatch(/^work\/churn\.ipynb\. Churn by cohort.*mart\.churn_scores$/);
  });

  it("takes the words of variables, before those of files", () => {
    write("a.sql", "-- totals\nselect 1 from ledger");
    const [facet] = read({ variables: ["TICKET", "ACCOUNT"] }, { TICKET: "blank labels", ACCOUNT: " " });
    expect(facet?.text).toBe("blank labels. a.sql. totals. select 1 from ledger. ledger");
  });

  it("tells nothing where there is nothing, or nothing that can be read", () => {
    expect(read()).toEqual([]);
    expect(readProfileFacets([NOTEBOOK], { root: join(root, "gone"), variables: {} })).toEqual([]);
    write("broken.ipynb", '{"cells": [');
    expect(read()[0]?.text).toBe("broken.ipynb");
    write("node_modules/x.sql", "select 1");
    write("far/down/x.sql", "select 1");
    expect(read({ files: ["*.sql"] })).toEqual([]);
    expect(read({ files: ["a+(.sql"] })).toEqual([]);
  });
});
