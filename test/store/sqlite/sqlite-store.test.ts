import { openSqliteStore } from "../../../src/store/sqlite/open-store.ts";
import { memoryStoreContract } from "../../contract/memory-store.ts";
import { NOW } from "../../support/records.ts";

memoryStoreContract("SqliteStore", async () => openSqliteStore({ path: ":memory:", now: () => NOW }));
