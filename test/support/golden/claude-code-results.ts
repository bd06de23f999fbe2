/** What Claude Code writes down of a tool's answer: the text for the model, and its own structured copy beside it. */
type Json = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly input: Json;
}

export interface ToolAnswer {
  readonly text: string;
  readonly failed?: boolean;
}

export function claudeResult(
  { name, input }: Tool,
  { text, failed }: ToolAnswer,
): { content: unknown; structured: unknown } {
  if (failed === true) return { content: text, structured: `Error: ${text}` };
  const path = String(input.file_path ?? "");
  switch (name) {
    case "Bash":
      return { content: text, structured: { stdout: text, stderr: "", interrupted: false, isImage: false } };
    case "Read": {
      const lines = text.split("\n");
      const numbered = lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join("\n");
      const file = { filePath: path, content: text, numLines: lines.length, startLine: 1, totalLines: lines.length };
      return { content: numbered, structured: { type: "text", file } };
    }
    case "Edit":
      return {
        content: `The file ${path} has been updated successfully.`,
        structured: { filePath: path, oldString: input.old_string, newString: input.new_string, replaceAll: false },
      };
    case "Write":
      return {
        content: `File created successfully at: ${path}`,
        structured: { type: "create", filePath: path, content: input.content },
      };
    case "Task":
      return {
        content: [{ type: "text", text }],
        structured: { status: "completed", content: [{ type: "text", text }] },
      };
    default:
      return name.startsWith("mcp__")
        ? { content: [{ type: "text", text }], structured: [{ type: "text", text }] }
        : { content: text, structured: { content: text } };
  }
}
