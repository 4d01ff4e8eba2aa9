/** How long something is valid, as the console says it: the numbers of the program. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OVERLAP_MS } from '#kit/net/signature.ts'
import { TERMS } from '#portal/mails/rules.ts'
import { fill } from './ways.ts'
import { arabic, english } from './words.ts'

const OVERLAP_HOURS = OVERLAP_MS / 3_600_000

for (const [language, t] of Object.entries({ english, arabic })) {
  const said: [text: string, ...numbers: number[]][] = [
    [t.mailed.forgot_sent, TERMS.reset_minutes],
    [t.entrance.mailed, TERMS.confirmation_hours],
    [t.account.too_many, TERMS.attempts_minutes],
    [t.account.password_hint, TERMS.password_least, TERMS.password_most],
    [t.account.password_length, TERMS.password_least, TERMS.password_most],
    [t.team.invite_text, TERMS.invitation_days],
    [t.operator.mails.lead, TERMS.kept_mail_days],
    [t.webhooks.rotate_text, OVERLAP_HOURS],
    [t.responder.rotate_text, OVERLAP_HOURS],
  ]
  for (const [text, ...numbers] of said) {
    test(`in ${language} the numbers of “${text}” are those of the program`, () => {
      const found = fill(text, TERMS).match(/\d+/g) ?? []
      assert.deepEqual(found.map(Number), numbers)
    })
  }
}
