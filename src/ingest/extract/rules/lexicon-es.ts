/** Spanish cues of the rules: the plainest only. */
import type { RuleLexicon } from "./rule-lexicon.ts";

export const SPANISH: RuleLexicon = {
  interjections:
    /^(?:(?:ok|vale|y|pero|por favor)(?=[\s,.!:;–—-])[\s,.!:;–—-]+|(?:no|para|espera|gracias|sí|bueno)\s*[,.!:;–—]+\s*)+/i,
  restated:
    /[\s,(–—-]*\b(?:como (?:ya )?(?:te )?(?:dije|he dicho|mencioné)(?: antes)?|otra vez|una vez más)(?![\p{L}])\)?/giu,
  remember: [
    /^(?:por favor,? )?(?:recuerda|ten en cuenta|anota|no olvides|no te olvides(?: de)?)[\s:,–—-]*(?:que\b)?[\s:,]*(?<claim>.+)$/i,
    /^para (?:la próxima vez|el futuro|más adelante)[\s:,–—-]+(?<claim>.+)$/i,
  ],
  noted: [/^(?:nota|ojo|importante)\s*:\s*(?<claim>.+)$/i],
  notRemember: /\b(?:te acuerdas|recuerdas (?:cuando|cómo))\b/i,
  standing: [
    /^(?<claim>(?:siempre|nunca)\b.+)$/i,
    /^(?:de ahora en adelante|a partir de ahora|en general)[\s,:–—-]+(?<claim>.+)$/i,
    /^(?<claim>en este (?:repo(?:sitorio)?|proyecto)\b.+)$/i,
  ],
  general: [],
  correction: /^(?:no,|no \p{L}+,|para\b|espera\b|eso (?:está mal|no es)|en realidad\b|mejor\b|así no\b)/iu,
  notCorrection: /^(?:no,? (?:gracias|está bien|pasa nada)|en realidad,? (?:está bien|perfecto))/i,
  decision: [
    /\b(?<claim>(?:hemos decidido|decidimos|acordamos|hemos acordado)\b.+)$/i,
    /^(?<claim>.{12,}\b(?:a propósito|es intencionado|adrede)(?!\p{L}).*)$/iu,
  ],
  reason: /,?\s+(?:porque|ya que|para que|si no|de lo contrario)\b/i,
  places: /\b(?:panel|tablero|dashboard|especificación|wiki|documentación|diseños?|runbook)\b/i,
  passing: /\b(?:por ahora|de momento|hoy|esta vez|todavía no|aún no)\b/i,
  status:
    /(?<!\p{L})(?:sigue|todavía no|aún no|no (?:funciona|compila|pasa)|falla|fallan|falló|roto|mismo error)(?!\p{L})/iu,
  statement:
    /(?<!\p{L})(?:es|son|está|están|era|fue|tiene|tienen|debe|deben|usa|usan|necesita|necesitan|puede|pueden|va|van|vive|significa|corre)(?!\p{L})/iu,
  request: /\?\s*$|^(?:puedes|podrías)\b/i,
  forbids: /\b(?:nunca|jamás|no|evita)\b/i,
  preference: /\b(?:prefiero|siempre|nunca|mejor)\b|^(?:usa|utiliza|escribe|evita)/i,
  everywhere: /\ben todos (?:mis|los) proyectos\b/i,
};
