/** Signing in, with a password and, if the member has one, a second factor (D-135). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { OtherAnswer } from '#kit/http/route.ts'
import type { Visit } from '#kit/http/visit.ts'
import { originOf } from '#kit/net/networks.ts'
import { isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import {
  type Counted,
  countAttempt,
  hasSignedIn,
  uncountAttempt,
} from '#portal/attempts/attempts.ts'
import { createToken, endToken, holdToken } from '#portal/one_time_tokens/one_time_tokens.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import {
  type Asker,
  type Candidate,
  findCandidate,
  findCandidateById,
  isPassword,
  lockCandidate,
  markOfPassword,
  readMember,
} from '#portal/people/people.ts'
import { normalEmail } from '#portal/people/rules.ts'
import { type RecordedStep, recordedStep } from '#portal/recorded_step.ts'
import { verifySecondFactor } from '#portal/second_factors/second_factors.ts'
import { beginSession } from './begin.ts'
import type { SecondStep, SignedIn, SignIn } from './schema.ts'

const CHALLENGE_MS = 5 * 60 * 1000

/** The audit record of a sign-in. */
type Step = Omit<RecordedStep, 'status'> & { operation: 'signIn' | 'verifySignIn' }

/**
 * Begins a session, or answers a challenge if a second factor is needed. Throws `credentials_wrong`
 * after the same work whether or not the address is known, and `rate_limited`.
 */
export async function signIn(
  given: Context,
  body: SignIn,
  visit: Visit,
): Promise<SignedIn | OtherAnswer> {
  const ctx = overAllTenants(given)
  const email = normalEmail(body.email)
  const step: Step = { operation: 'signIn', email, visit }
  const counted = await countAttempt(ctx, { email, address: visit.address })
  const candidate = await findCandidate(ctx, email)
  const asker = await askerOf(ctx, visit)
  const isRight = await isPassword(body.password, candidate?.password_hash ?? null, ...asker)
  if (!candidate || !isRight) throw await failure(ctx, candidate, step)
  if (candidate.has_second_factor) return challenge(ctx, candidate, { ...step, counted })
  const signedIn = await recordedStep(ctx, candidate, { ...step, status: 201 }, async (tx) => {
    // The password was checked before the transaction, which takes a while.
    if (!(await lockCandidate(tx, candidate))) return undefined
    return begin(tx, candidate, { visit, counted })
  })
  if (!signedIn) throw await failure(ctx, candidate, step)
  return signedIn
}

/**
 * The second step. Throws `credentials_wrong` for a wrong code and for a challenge that is unknown,
 * used, expired or of an earlier password, and `rate_limited` if the account or the address has
 * failed too often.
 */
export async function verifySignIn(
  given: Context,
  { challenge, code }: SecondStep,
  visit: Visit,
): Promise<SignedIn> {
  const ctx = overAllTenants(given)
  const person = await transact(ctx, (tx) => holdToken(tx, 'CHALLENGE', challenge))
  const candidate = isPerson(person) ? await findCandidateById(ctx, person.person_id) : undefined
  // An unknown challenge is at no account: all of them together would be one.
  const email = isPerson(person) ? person.email : undefined
  const step: Step = { operation: 'verifySignIn', email: email ?? '', visit }
  const counted = await countAttempt(ctx, { email, address: visit.address })
  const mark = candidate && markOfPassword(candidate.password_hash)
  if (!candidate || Object(person).mark !== mark) throw await failure(ctx, candidate, step)
  const signedIn = await recordedStep(ctx, candidate, { ...step, status: 201 }, async (tx) => {
    // The second of two requests with one challenge finds it used.
    if (!(await holdToken(tx, 'CHALLENGE', challenge))) return undefined
    if (!(await lockCandidate(tx, candidate))) return undefined
    if (!(await verifySecondFactor(tx, candidate.person_id, code))) return undefined
    await endToken(tx, challenge)
    return begin(tx, candidate, { visit, counted, with_factor: true })
  })
  if (!signedIn) throw await failure(ctx, candidate, step)
  return signedIn
}

/** The queue for the hashing, and the asker in it; strangers are all one (D-977). */
async function askerOf(ctx: Context, { address }: Visit): Promise<[Asker, string?]> {
  return (await hasSignedIn(ctx, address)) ? ['KNOWN', originOf(address)] : ['STRANGER']
}

type Beginning = { visit: Visit; counted: Counted; with_factor?: boolean }

async function begin(tx: Tx, candidate: Candidate, { visit, counted, ...how }: Beginning) {
  const { membership_id, person_id } = candidate
  await uncountAttempt(tx, counted)
  await beginSession(tx, membership_id, visit, how)
  return { member: await readMember(tx, person_id) }
}

function challenge(
  ctx: Context,
  candidate: Candidate,
  step: Step & { counted: Counted },
): Promise<OtherAnswer> {
  const { person_id, password_hash } = candidate
  return recordedStep(ctx, candidate, { ...step, status: 202 }, async (tx) => {
    await uncountAttempt(tx, step.counted)
    const data = { person_id, email: step.email, mark: markOfPassword(password_hash) }
    const token = await createToken(tx, { kind: 'CHALLENGE', data, valid_ms: CHALLENGE_MS })
    return new OtherAnswer({ challenge: token })
  })
}

/** Records a failure under its tenant; a failure of an unknown address has no tenant (D-143). */
async function failure(
  ctx: Context,
  candidate: Candidate | undefined,
  step: Step,
): Promise<ApiError> {
  await recordedStep(ctx, candidate, { ...step, status: 401 }, async () => true)
  return new ApiError('credentials_wrong')
}

type Challenged = { person_id: string; email: string }

const isPerson = (data: unknown): data is Challenged => isId(String(Object(data).person_id))
