/** Payments that cardholders confirm by a code or in an app. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AnswerChallengeBody,
  AnswerChallengeHeaders,
  ApproveChallengeHeaders,
  Challenge,
  CreateChallengeBody,
  DeclineChallengeHeaders,
  ListChallengesQuery,
} from '../types.ts'

/** Payments that cardholders confirm by a code or in an app. */
export class ChallengesGroup extends Group {
  /**
   * Create a challenge.
   *
   * Asks the cardholder to confirm a payment within five minutes: by a code of six digits, which
   * goes out by the `challenge_messenger` of the tenant, or in the client’s app. Sends
   * CHALLENGE_CREATED. The card’s product has `otp_3ds`.
   *
   * Errors of its own: `id_taken`, `challenge_not_offered`, `challenge_unreachable`.
   *
   * `POST /challenges`
   */
  create(body: CreateChallengeBody, options?: RequestOptions): Promise<Challenge> {
    return this.transport.send('POST', '/challenges', { body, keyed: true }, options)
  }

  /**
   * List challenges.
   *
   * Lists challenges, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /challenges`
   */
  list(query?: ListChallengesQuery, options?: RequestOptions): List<Challenge> {
    return this.transport.list('GET', '/challenges', { query }, options)
  }

  /**
   * Get a challenge.
   *
   * Returns a challenge as it is now.
   *
   * `GET /challenges/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Challenge> {
    return this.transport.send('GET', path`/challenges/${id}`, {}, options)
  }

  /**
   * Answer a challenge.
   *
   * Takes the code that the cardholder typed. The right one passes the challenge, once; the third
   * wrong one ends it as FAILED. The payment that is to be made may be sent along: another one than
   * the cardholder was shown is refused, and is no try.
   *
   * Errors of its own: `challenge_code_wrong`, `challenge_over`, `challenge_other_payment`,
   * `challenge_without_code`.
   *
   * `POST /challenges/{id}:answer`
   */
  answer(
    id: string,
    body: AnswerChallengeBody,
    options?: RequestOptions & { headers?: AnswerChallengeHeaders },
  ): Promise<Challenge> {
    return this.transport.send(
      'POST',
      path`/challenges/${id}:answer`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Approve a challenge.
   *
   * Passes a challenge: the cardholder has approved the payment in the client’s app, which has made
   * sure who it is.
   *
   * Errors of its own: `challenge_over`.
   *
   * `POST /challenges/{id}:approve`
   */
  approve(
    id: string,
    options?: RequestOptions & { headers?: ApproveChallengeHeaders },
  ): Promise<Challenge> {
    return this.transport.send('POST', path`/challenges/${id}:approve`, { keyed: true }, options)
  }

  /**
   * Decline a challenge.
   *
   * Ends a challenge: the cardholder does not want the payment.
   *
   * Errors of its own: `challenge_over`.
   *
   * `POST /challenges/{id}:decline`
   */
  decline(
    id: string,
    options?: RequestOptions & { headers?: DeclineChallengeHeaders },
  ): Promise<Challenge> {
    return this.transport.send('POST', path`/challenges/${id}:decline`, { keyed: true }, options)
  }
}
