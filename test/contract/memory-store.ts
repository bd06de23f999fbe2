/** What every store owes, as tests. An adapter's own test calls this with a function that opens an empty store. */
import { afterEach, describe } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { changeContract } from "./store/changes.ts";
import { conflictContract } from "./store/conflicts.ts";
import { fileContract } from "./store/files.ts";
import { historyContract } from "./store/history.ts";
import { projectContract } from "./store/projects.ts";
import { runContract } from "./store/runs.ts";
import { searchContract } from "./store/search.ts";
import { smallTableContract } from "./store/small-tables.ts";
import { usageContract } from "./store/usage.ts";
import { vectorContract } from "./store/vectors.ts";

/** Opens an empty store that is closed after the test. */
export type OpenStore = () => Promise<Store>;

export function memoryStoreContract(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract`, () => {
    const opened: Store[] = [];
    const openTracked: OpenStore = async () => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    changeContract(openTracked);
    historyContract(openTracked);
    projectContract(openTracked);
    runContract(openTracked);
    fileContract(openTracked);
    searchContract(openTracked);
    conflictContract(openTracked);
    vectorContract(openTracked);
    smallTableContract(openTracked);
    usageContract(openTracked);
  });
}
