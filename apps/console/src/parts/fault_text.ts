/** Faults of single values, in the language of the page. */

import i18next, { type TFunction } from 'i18next'

/** Messages of the API about a value, and the text that says the same; `value` is the part in brackets. */
const WORDS = [
  [/^(?:is required|must not be (?:empty|blank)|is blank)$/, 'required'],
  [/^must match pattern/, 'form'],
  [/^must be (?:above zero|more than zero|> 0)$/, 'positive'],
  [/^must not be negative$/, 'negative'],
  [/^must be at least the smallest unit of (\w+)$/, 'unit'],
  [/^has more decimals than \w+ \((\d+)\)$/, 'decimals'],
  [/^(?:must have at most|has more than) (\d+) digits$/, 'digits'],
  [/^must be > (.+)$/, 'more'],
  [/^must be >= (.+)$/, 'least'],
  [/^must be <= (.+)$/, 'most'],
  [/^must be < (.+)$/, 'less'],
  [/^must (?:NOT have more than|have at most) (\d+) characters$/, 'long'],
  [/^must NOT have fewer than (\d+) characters$/, 'short'],
  [/^must (?:NOT have more than|have at most) (\d+) items$/, 'many'],
  [/^must NOT have fewer than (\d+) items$/, 'few'],
  [/^must be one of (.+)$/, 'one_of'],
  [/^must be (?:of type (?:integer|number)|a (?:decimal |finite )?number)/, 'number'],
  [/^is not an? (?:ISO 4217 currency|currency of ISO 4217)$/, 'currency'],
  [/^is not an? (?:country of ISO 3166|ISO 3166)/, 'country'],
  [/^(?:must be|is not) an e-mail address$/, 'email'],
  [/^must (?:be a URI|be an absolute URL|start with https:|begin with https:)/, 'address'],
  [/^is not the currency of .*\((\w+)\)$/, 'other_currency'],
  [/^is not an international phone number$/, 'phone'],
  [/^(?:must be a date|is not a date)/, 'date'],
  [/^(?:must be an instant|is not an instant)/, 'instant'],
  [/^(?:does not exist|names no tenant|is no tenant|is not a tenant)$/, 'missing'],
  [/^must not be in the future$/, 'future'],
  [/^cannot be changed$/, 'fixed'],
  [/^is (?:there twice|in the list already)$/, 'twice'],
  [/^must not be below min_amount$/, 'below_least'],
] as const

/** A fault that has no words here, or on a page without forms of objects, stays as the API says it. */
export function faultText(t: TFunction, message: string): string {
  for (const [words, key] of WORDS) {
    const found = words.exec(message)
    if (found && i18next.exists('faults.required')) {
      return t(`faults.${key}`, { value: found[1] ?? '' })
    }
  }
  return message
}
