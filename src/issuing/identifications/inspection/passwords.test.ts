/** PDF that are encrypted: made by qpdf, so that another program says what opens them (D-1007). */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspectFile, type Outcome } from './inspect.ts'

type Vectors = {
  pairs: { what: string; owner_only: string; with_user: string }[]
  scripts: { what: string; bytes: string }[]
}
// The file is kept beside the tests that read it.
const vectors = JSON.parse(readFileSync('test/vectors/pdf_passwords.json', 'utf8')) as Vectors

function outcomeOf(bytes: Buffer): Promise<Outcome> {
  return inspectFile('pdf', {
    size: bytes.length,
    async *read({ start, end }) {
      yield bytes.subarray(start, end)
    },
  })
}

for (const { what, owner_only, with_user } of vectors.pairs) {
  test(`a PDF with a password of its owner alone is accepted: ${what}`, async () => {
    const bytes = Buffer.from(owner_only, 'base64')
    assert.deepEqual(await outcomeOf(bytes), { end: bytes.length })
  })

  test(`a PDF that needs a password to open is rejected: ${what}`, async () => {
    const fault = 'needs a password to open, so that it cannot be inspected'
    assert.deepEqual(await outcomeOf(Buffer.from(with_user, 'base64')), { fault })
  })
}

for (const { what, bytes } of vectors.scripts) {
  test(`a script in encrypted objects is found: ${what}`, async () => {
    const found = await outcomeOf(Buffer.from(bytes, 'base64'))
    assert.deepEqual(found, { fault: 'holds a script' })
  })
}
