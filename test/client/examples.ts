/** The examples of the library's README and of docs/client_examples.md, as modules that compile. */

/** Names that the text around an example explains. */
const NAMES = [
  'account_id', 'baseUrl', 'card_id', 'card_number', 'card_product_id', 'cvv2', 'email',
  'expiry_date', 'file_id', 'identification_id', 'last_event_id', 'enc_pin', 'password',
  'payout_id', 'private_key', 'public_key', 'recipient_account_id', 'reference',
  'responder_secret', 'sender_account_id', 'session', 'token', 'transaction_id', 'user_id',
] // biome-ignore format: a list of names reads best in lines.

const GIVEN = `
import type { Bezant as Issuing } from '@bezant/client'
import type { BezantMerchant as Merchant } from '@bezant/client/merchant'
import type { BezantPortal as Portal } from '@bezant/client/portal'
declare const bezant: Issuing, shop: Merchant, portal: Portal
declare const ${NAMES.map((name) => `${name}: string`).join(', ')}
declare const callbacks: { confirm_callback_url: string; reject_callback_url: string }
declare function keep(event_id: string): Promise<void>
declare function codeOf(secret: string): string
declare function readPicture(): Promise<Uint8Array<ArrayBuffer>>
export {}
`

/** A module for each chapter that has examples, by the name of the chapter. */
export function examplesIn(text: string, heading = '## '): Map<string, string> {
  const chapters = `\n${text}`.split(`\n${heading}`).slice(1)
  const found = chapters.map((chapter): [string, string] => {
    const blocks = [...chapter.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
    return [chapter.split('\n')[0] ?? '', blocks.length === 0 ? '' : moduleOf(blocks.join('\n'))]
  })
  return new Map(found.filter(([, code]) => code !== ''))
}

/** In a block, an example may have a name that the text around others speaks of. */
function moduleOf(code: string): string {
  const imports = /^import [\s\S]*? from '.*'$/gm
  return `${code.match(imports)?.join('\n') ?? ''}${GIVEN}{\n${code.replace(imports, '')}}\n`
}
