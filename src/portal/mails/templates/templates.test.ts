import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMail } from './layout.ts'
import {
  addressKnown,
  confirmation,
  invitation,
  invitationElsewhere,
  passwordChanged,
  passwordReset,
} from './templates.ts'

const URL_OF_LINK = 'https://cards.example/console/invitation?token=abc_DEF-123'
const all = [
  invitation(URL_OF_LINK, 'Shop', 'viewer'),
  invitation(URL_OF_LINK, undefined, 'operator_support'),
  passwordReset(URL_OF_LINK),
  confirmation(URL_OF_LINK),
  addressKnown(),
  passwordChanged(),
]

const sentencesIn = (page: string) =>
  page
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .split(/\s+/)
    .filter((word) => word !== '')

test('both forms of a mail have the same words', () => {
  for (const message of all) {
    const { text, html } = renderMail(message, 'Bank')
    const words = text.replace(/:\n/g, '\n').split(/\s+/)
    assert.deepEqual(
      sentencesIn(html),
      words.filter((word) => word !== ''),
    )
  }
})

test('a mail has one link and fetches nothing', () => {
  for (const message of all) {
    const { text, html } = renderMail(message, 'Bank')
    const links = text.match(/https?:\S+/g) ?? []
    assert.deepEqual(links, message.link ? [URL_OF_LINK] : [])
    assert.deepEqual(
      html.match(/\b(src|href)="[^"]*"/g) ?? [],
      links.map((url) => `href="${url}"`),
    )
  }
})

test('the name of an organization is no link, however it is written', () => {
  const names = [
    'Visit https://evil.example/now',
    'HTTP:\\\\evil.example',
    'evil.example',
    'www.evil.example',
    'ftp：／／evil．example',
    'evil。example and evil｡example',
    'boss@evil.example',
    'evil.\u2060example, evil.\u200bexample',
    '127.0.0.1:8080/pay',
    'xn--80ak6aa92e.example',
    'пример.испытание',
  ]
  for (const name of names) {
    for (const message of [invitation(URL_OF_LINK, name, 'viewer'), invitationElsewhere(name)]) {
      const { text, html } = renderMail(message, 'Bank')
      for (const form of [text, html]) {
        const own = form.replaceAll(URL_OF_LINK, '').replace(/ style="[^"]*"/g, '')
        assert.doesNotMatch(own, /:[\\/／]|[^\s<>][.．。｡]\p{Cf}*[^\s<”]/u, name)
      }
    }
  }
  const { text } = renderMail(invitation(URL_OF_LINK, 'A.B. Trading & St. Mary', 'viewer'), 'Bank')
  assert.match(text, /“A. B. Trading & St. Mary”/)
})

test('the name of an organization adds no line, no markup and no direction', () => {
  const name = 'Shop\r\nBcc: x@y.example\u2028<a href="https://evil.example">\u202eclick</a>'
  const { subject, text, html } = renderMail(invitation(URL_OF_LINK, name, 'viewer'), 'Bank')
  assert.equal(subject, 'You are invited')
  assert.doesNotMatch(text, /^Bcc/m)
  assert.doesNotMatch(text + html, /[\u2028\u202e]/)
  assert.equal(html.match(/<a /g)?.length, 1)
})
