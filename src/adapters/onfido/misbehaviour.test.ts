/** How badly Onfido may answer: each call fails plainly, and shows neither token nor person. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import type { StoredDocument } from '#issuing/identifications/identifications.ts'
import { ProviderFailure } from '#issuing/verification/provider.ts'
import { readVariables } from '#kit/settings/read.ts'
import { pdf } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { misbehaviours } from '#test/support/services/misbehaviours.ts'
import { API_TOKEN, openOnfido } from '#test/support/services/onfido.ts'
import { openWorld } from '#test/support/world.ts'
import { onfidoIdentity } from './identity.ts'
import { settingsOf, variables } from './settings.ts'

const keep = keeper()
const onfido = keep(await openOnfido())
const world = keep(await openWorld())
const ctx = await world.ctx()
beforeEach(() => onfido.reset())

/** Shorter than the program's, so that an answer that never comes is awaited briefly. */
const PATIENCE_MS = 500
const settings = settingsOf(readVariables(variables, onfido.env).values, {
  faults: [],
  live: false,
})
assert.ok(settings)
const provider = onfidoIdentity(settings, undefined, PATIENCE_MS)

const person = { first_name: 'Ann', last_name: 'Hidden', date_of_birth: null, email: null }
const applicant = { person, checks: ['DOCUMENT'], consent_given: true } as const
const document: StoredDocument = {
  ...{ id: randomUUID(), document_type: 'PASSPORT_PAGE1', content_type: 'application/pdf' },
  size: pdf().length,
  async *read() {
    yield pdf()
  },
}

const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
  createApplicant: () => provider.createApplicant(ctx, applicant),
  updateApplicant: () => provider.updateApplicant?.(ctx, 'applicant-1', applicant),
  issueToken: () => provider.issueToken(ctx, 'applicant-1'),
  uploadDocuments: () => provider.uploadDocuments?.(ctx, 'applicant-1', [document]),
  startCheck: () =>
    provider.startCheck(ctx, { ...applicant, applicant_id: 'x', reference: randomUUID() }),
  fetchReport: () => provider.fetchReport(ctx, randomUUID()),
}

for (const [name, misbehaves] of Object.entries(misbehaviours)) {
  test(`a service that ${name}: each call is a ProviderFailure that shows nobody`, async () => {
    onfido.misbehaves = misbehaves
    for (const [what, call] of Object.entries(calls)) {
      await assert.rejects(
        async () => call(),
        (error: Error) => {
          assert.ok(error instanceof ProviderFailure, `${what}: ${error}`)
          const text = `${error.message}${error.stack}${JSON.stringify(error)}`
          return !text.includes(API_TOKEN) && !text.includes('Hidden')
        },
        what,
      )
    }
  })
}
