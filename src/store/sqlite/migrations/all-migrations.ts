/** Every migration in order: a store whose `user_version` is n has had the first n. Only ever grows. */
import { firstTables } from "./0001-first-tables.ts";
import { fileConflicts } from "./0002-file-conflicts.ts";
import { usageEvents } from "./0003-usage-events.ts";
import type { Migration } from "./migration.ts";

export const ALL_MIGRATIONS: readonly Migration[] = [firstTables, fileConflicts, usageEvents];
