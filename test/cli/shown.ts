/** Transcripts in pages of docs; with WRITE_CLI_TRANSCRIPT=1 a test writes its own. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/** Ids, card numbers and times differ with each run; words of their length take their place. */
function stable(text: string, baseUrl: string): string {
  return text
    .replaceAll(baseUrl, 'http://localhost:8080')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      'ID'.padEnd(id.length, '·'),
    )
    .replace(/\b01a\w+…\w+/g, (id) => 'ID…'.padEnd(id.length, '·'))
    .replace(/\b\d{6}\*{6}\d{4}\b/g, '400000******0000')
    .replace(/\b\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d(\.\d+)?/g, '2026-01-15$109:00:00')
    .replace(/"after": "[^"]+"/g, '"after": "CURSOR"')
    .replaceAll('http://127.0.0.1:0', 'http://localhost:8080')
    .replace(/\b20\d\d-\d\d\b(?!-)/g, '2029-01')
}

/** Fails if the page has another transcript than what was shown between its marks. */
export function checkTranscript(path: string, baseUrl: string, shown: readonly string[]): void {
  const text = shown.map((one) => stable(one, baseUrl).trimEnd()).join('\n\n')
  const page = readFileSync(path, 'utf8')
  const whole = page.replace(
    /(<!-- transcript -->\n)[\s\S]*(\n<!-- end of the transcript -->)/,
    (_, begin: string, end: string) => `${begin}\n\`\`\`text\n${text}\n\`\`\`\n${end}`,
  )
  if (process.env['WRITE_CLI_TRANSCRIPT']) writeFileSync(path, whole)
  else assert.equal(page, whole)
}
