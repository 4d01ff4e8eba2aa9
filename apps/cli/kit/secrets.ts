/** Members of answers that are not printed (D-812). */

const HIDDEN: ReadonlySet<string> = new Set(['card_number', 'token_number', 'cvv2', 'pin'])

/** A card number is masked as the API masks it; other secrets are stars. */
function masked(name: string, value: string | number): string {
  const text = String(value)
  if (!/_number$/.test(name) || text.length < 12) return '***'
  return `${text.slice(0, 6)}${'*'.repeat(text.length - 10)}${text.slice(-4)}`
}

/** The same value with the card numbers and codes in it masked. */
export function withoutCardData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCardData)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret =
        HIDDEN.has(name) && (typeof member === 'string' || typeof member === 'number')
      return [name, isSecret ? masked(name, member) : withoutCardData(member)]
    }),
  )
}
