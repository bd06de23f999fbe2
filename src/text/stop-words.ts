/** Words that name nothing by themselves: never symbols, even in backticks or in capitals. */

const WORDS = `
a an and any all are as at be been but by can could did do does each for from had has have he her here his how i if in
into is it its just may me more most my no nor not now of off on once one only or other our out over own same she should
so some such than that the their them then there these they this those to too two under until up us use used using very
was we were what when where which while who why will with would you your yes
true false null undefined none nil void any string number boolean object array integer float int str bool char byte
error errors warning info debug ok done todo fixme note notes example examples test tests spec main index default name
value values key keys type types id ids data item items list map set get put post delete patch head new old file files
path paths dir folder line lines code text title body content result results response request input output function
method class module package import export return async await const let var public private static final this self super
src lib dist build bin docs app user users admin server client config settings options args params readme license
changelog makefile dockerfile
json yaml yml toml xml html css http https url uri api apis sdk cli gui ui ux sql csv tsv pdf png jpg svg utf ascii
readme.md license.md index.ts index.js index.html main.ts main.py
tcp udp ip dns ssl tls ssh ftp rest rpc cpu gpu ram rom usb ide os vm pr prs mr ci cd qa faq eta tbd asap fyi imho
github gitlab javascript typescript nodejs macos ios ipad iphone youtube linkedin openai
sha1 sha256 sha384 sha512 md5 utf8 utf-8 utf16 utf-16 utf-32 base64 base32 x86 x64 x86_64 arm64 amd64 iso8601 iso-8601
p50 p90 p95 p99 h1 h2 h3 v1 v2 v3 2d 3d
`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));

/** Whether a word, in any case, is too common to be a symbol. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}
