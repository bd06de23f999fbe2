/**
 * Fills the corpora of `precision` and `symbols` up with near decoys: facts of the same make as the ones written by
 * hand, about other stations, depots, departments and symbols. They carry `made: "template"`; lines without it are
 * left as they are, so that a second run changes nothing.
 *
 *   tsx scripts/make-decoys.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Decoy {
  readonly type: "context" | "lesson" | "pointer";
  readonly title: string;
  readonly content: string;
}

/** A name and its place in the list, from which every figure in a decoy is worked out. */
type Template = (name: string, index: number) => Decoy;

const STATIONS = (
  "Ashgill Birkbeck Carrowdale Dunmere Elterfoot Fennhope Garrowby Hallsike Inverlay Jesmond-Weir Kelbrook Lowther-Bridge " +
  "Marrick Netherlund Oakshaw Pendrift Rosgill Skelwith Thornmere Ulpha Vennside Wharton Yarrowfoot Zennor Crossthwaite"
).split(" ");

const DEPOTS = (
  "Arbon Bellach Chiasso Dietlikon Egnach Frick Giswil Horgen Ilanz Jona Kerzers Landquart Murten Nebikon Oensingen " +
  "Pratteln Rothrist Sursee Thusis Uzwil Vevey Wohlen Yverdon Zofingen Altdorf"
).split(" ");

const DEPARTMENTS = (
  "angiology audiology dialysis endocrinology gastroenterology geriatrics gynaecology haematology immunology nephrology " +
  "nutrition oncology ophthalmology orthopaedics otology paediatrics palliation phlebotomy podiatry psychiatry " +
  "pulmonology radiology rheumatology urology vaccination"
).split(" ");

const STATION_FACTS: readonly Template[] = [
  (name, i) => ({
    type: "context",
    title: `Gauge zero at ${name}`,
    content: `Gauge zero at ${name} lies ${(31.4 + i * 7.37).toFixed(2)} m above the national datum, levelled in ${2004 + (i % 17)}.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Warning level 2 at ${name} is ${(1.35 + i * 0.11).toFixed(2)} m`,
    content: `At gauge ${name}, warning level 2 begins at ${(1.35 + i * 0.11).toFixed(2)} m stage.`,
  }),
  (name, i) => ({
    type: "pointer",
    title: `Key of the hut at ${name}`,
    content: `The key of the hut at ${name} hangs in cabinet ${1 + (i % 6)}; the last ${40 + i * 15} metres are on foot.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Battery at ${name}`,
    content: `The field box at ${name} runs on ${24 + (i % 5) * 12} Ah and stops uploads below ${(11.2 + (i % 4) * 0.1).toFixed(1)} V.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `Ice backs the stage up at ${name}`,
    content: `From December to ${["February", "March", "April"][i % 3]} ice raises the stage at ${name}; mark discharge as estimated.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `Weed growth shifts the rating at ${name}`,
    content: `At ${name} the curve is off by ${3 + (i % 6)} % in late summer until the weed is cut in week ${34 + (i % 5)}.`,
  }),
];

const DEPOT_FACTS: readonly Template[] = [
  (name, i) => ({
    type: "context",
    title: `Depot ${name} is coded as D${String.fromCharCode(65 + i)}${2 + (i % 7)}`,
    content: `In exports and labels, Depot ${name} appears as D${String.fromCharCode(65 + i)}${2 + (i % 7)}.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Loading at ${name} begins at 0${4 + (i % 3)}:${10 + (i % 5) * 10}`,
    content: `The first van leaves Depot ${name} ${55 + i} minutes later; gate ${1 + (i % 4)} is for electric vans.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `The label printer at ${name} skews`,
    content: `Printer ${1 + (i % 3)} at Depot ${name} shifts labels by ${2 + (i % 4)} mm after a roll change; feed ${3 + (i % 3)} blanks.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Tour area of ${name}`,
    content: `Depot ${name} serves ${14 + i} postcodes in ${5 + (i % 8)} tours, bikes included.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `Ramp at ${name} is steep`,
    content: `Long vans scrape on the ramp of Depot ${name}; use the yard of the ${["dairy", "sawmill", "school"][i % 3]} beside it.`,
  }),
  (name, i) => ({
    type: "pointer",
    title: `Scanner spares at ${name}`,
    content: `Spare handhelds of Depot ${name} lie in locker ${20 + i}; the count is on the sheet inside the door.`,
  }),
];

const DEPARTMENT_FACTS: readonly Template[] = [
  (name, i) => ({
    type: "context",
    title: `Overbooking limit in ${name} is ${1 + (i % 5)}`,
    content: `The clinic for ${name} may overbook ${1 + (i % 5)} patients a session.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Visit types of ${name}`,
    content: `For ${name} there are ${2 + (i % 6)} visit types; the first visit takes ${30 + (i % 4) * 10} minutes.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `Referral letters to ${name} miss a code`,
    content: `About ${4 + (i % 9)} % of referrals to ${name} come without a diagnosis code; park them under ${900 + i}.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Waiting room of ${name}`,
    content: `Patients of ${name} wait in room ${100 + i * 3}; the screen there shows ticket numbers only.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Sessions of ${name} start at 0${7 + (i % 3)}:${["00", "15", "30"][i % 3]}`,
    content: `The clinic for ${name} opens with the sickest patient and keeps ${1 + (i % 3)} slots free for emergencies.`,
  }),
  (name, i) => ({
    type: "pointer",
    title: `Letter templates of ${name}`,
    content: `The templates of ${name} are numbered ${700 + i * 4} to ${703 + i * 4} in the letter module.`,
  }),
];

const SYMBOL_PARTS = (
  "beacon cargo drone ember fjord gantry harbor indigo juniper kiln lantern meadow nickel orchid pebble quartz rivet saddle " +
  "timber umbra velvet willow xenon yonder zephyr"
).split(" ");

const SYMBOL_FACTS: readonly Template[] = [
  (name, i) => ({
    type: "lesson",
    title: `Retry loop of the ${name} job`,
    content: `\`services/${name}/src/queue/backoff.ts\` waits ${2 + i} seconds and gives up after ${3 + (i % 4)} tries.`,
  }),
  (name, i) => ({
    type: "context",
    title: `Column of the ${name} table`,
    content: `\`${name}.entries.posted_at\` is the time of booking, ${1 + (i % 5)} hours behind the bank.`,
  }),
  (name, i) => ({
    type: "lesson",
    title: `E${2100 + i * 13} of the ${name} pass`,
    content: `E${2100 + i * 13} is raised by the ${name} pass for an unused label; the note has the right line.`,
  }),
  (name, i) => ({
    type: "context",
    title: `compute${capital(name)}Margin is inclusive`,
    content: `\`compute${capital(name)}Margin\` includes both ends, up to ${10 + i} units.`,
  }),
  (name, i) => ({
    type: "context",
    title: `QUARRY_${name.toUpperCase()}_LIMIT bounds the ${name} queue`,
    content: `\`QUARRY_${name.toUpperCase()}_LIMIT\` is ${64 * (1 + (i % 8))} in production and unset elsewhere.`,
  }),
];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Every template over every name, the names in the outer loop so that neighbours in the file differ. */
function decoys(
  group: string,
  prefix: string,
  { names, templates }: { names: string[]; templates: readonly Template[] },
) {
  const facts = names.flatMap((name, index) => templates.map((template) => template(name, index)));
  return facts.map(({ type, title, content }, index) => ({
    id: `${prefix}-g${String(index + 1).padStart(3, "0")}`,
    group,
    type,
    title,
    content,
    text: `${title}. ${content}`,
    status: "active",
    made: "template",
  }));
}

/** Replaces the templated lines of a corpus; hand-written ones stay, byte for byte and first. */
function refill(set: string, made: readonly object[]): void {
  const path = join(import.meta.dirname, "../evals/datasets", set, "corpus.jsonl");
  const written = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !("made" in JSON.parse(line)));
  writeFileSync(path, `${[...written, ...made.map((decoy) => JSON.stringify(decoy))].join("\n")}\n`);
}

refill("precision", [
  ...decoys("tidewatch", "tw", { names: STATIONS, templates: STATION_FACTS }),
  ...decoys("parcelo", "pc", { names: DEPOTS, templates: DEPOT_FACTS }),
  ...decoys("wardbook", "wb", { names: DEPARTMENTS, templates: DEPARTMENT_FACTS }),
]);
refill("symbols", decoys("quarry", "sy", { names: SYMBOL_PARTS, templates: SYMBOL_FACTS }));
