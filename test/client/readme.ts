/** The examples of packages/client/README.md, as modules that compile. */

import { readFileSync } from 'node:fs'

/** What the text around an example speaks of. */
const NAMES = [
  'account_id', 'baseUrl', 'card_id', 'card_product_id', 'file_id', 'identification_id',
  'last_event_id', 'payout_id', 'private_key', 'public_key', 'recipient_account_id', 'reference',
  'responder_secret', 'sender_account_id', 'session', 'transaction_id', 'user_id',
] // biome-ignore format: a list of names reads best in lines.

const GIVEN = `import { Bezant } from '@bezant/client'
declare const bezant: Bezant
`
const DECLARED = `
declare const ${NAMES.map((name) => `${name}: string`).join(', ')}
declare function keep(event_id: string): Promise<void>
declare function readPicture(): Promise<Uint8Array<ArrayBuffer>>
export {}
`

/** A module for each chapter that has examples, by the name of the chapter. */
export function examplesOf(path: string): Map<string, string> {
  const chapters = readFileSync(path, 'utf8').split(/^## /m).slice(1)
  const found = chapters.map((chapter): [string, string] => {
    const blocks = [...chapter.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
    const code = blocks.join('\n')
    const before = /const bezant\b/.test(code) ? '' : GIVEN
    return [chapter.split('\n')[0] ?? '', code === '' ? '' : `${before}${DECLARED}${code}`]
  })
  return new Map(found.filter(([, code]) => code !== ''))
}
