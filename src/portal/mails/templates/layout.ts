/** The one form of all mails: sentences and at most one link, as plain text and as HTML. */

import { html } from '#lib/html.ts'

/** The content of a mail. `link` is the only secret that a mail may contain. */
export type Message = {
  subject: string
  sentences: readonly string[]
  link?: { label: string; url: string }
  /** The validity of the link, and the advice about a mail that was not asked for. */
  notes: readonly string[]
}

export type Rendered = { subject: string; text: string; html: string }

/** Characters that could end a line or change the order of characters. */
const CONTROLS = /[\s\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Texts of members cannot begin a new line, so that they add no sentence and no header. */
const oneLine = (text: string): string => text.replace(CONTROLS, ' ').trim()

/** The end of a scheme, and a dot behind which another part of a name or an address begins. */
const AFTER_SCHEME = /:[\\/]+/g
const DOT_WITHIN = /[.\u3002](?=\p{Cf}*[\p{L}\p{M}\p{N}_-])/gu

/**
 * A name that a member has chosen, quoted so that no reader of mails makes a link of it: anyone who
 * signs up could send a link of theirs to any address under the operator's name (D-966). Fullwidth
 * forms of these characters are links too.
 */
export const quotedName = (name: string): string =>
  `“${name.normalize('NFKC').replace(AFTER_SCHEME, ': ').replace(DOT_WITHIN, '. ')}”`

/** Both forms have the same words in the same order. `sender` is the name of the operator. */
export function renderMail(message: Message, sender: string): Rendered {
  const subject = oneLine(message.subject)
  const sentences = message.sentences.map(oneLine)
  const notes = message.notes.map(oneLine)
  const { link } = message
  const text = [
    ...sentences,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...notes,
    sender,
  ].join('\n\n')
  return { subject, text: `${text}\n`, html: page(subject, { sentences, link, notes, sender }) }
}

type Parts = Pick<Message, 'sentences' | 'notes'> & { link: Message['link']; sender: string }

/** Nothing is fetched when it is opened: no picture, font or style of another host. */
function page(subject: string, { sentences, link, notes, sender }: Parts): string {
  const paragraph = (text: string) => html`<p style="margin:0 0 16px">${text}</p>`
  const anchor = link && [
    html`<p style="margin:0 0 16px"><a href="${link.url}">${link.label}</a></p>`,
    html`<p style="margin:0 0 16px;word-break:break-all">${link.url}</p>`,
  ]
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1a1a;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
${sentences.map(paragraph)}${anchor}${notes.map(paragraph)}${paragraph(sender)}
</div></body></html>
`.text
}
