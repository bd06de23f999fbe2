import { embedderContract } from "../contract/embedder.ts";
import { hashEmbedder } from "./hash-embedder.ts";

embedderContract("the hash embedder", () => hashEmbedder());
