/**
 * Text for a line of a terminal: a character that could end the line, move the cursor or change the
 * order of characters is written as its code point.
 */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

/** JSON in visible ASCII: other characters are escapes of JSON, which leaves the value the same. */
export function printableJson(value: object, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
