/** Members and invitations. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AcceptInvitationBody,
  ChangedMember,
  CreateInvitationBody,
  DeleteMemberBody,
  DeleteMemberHeaders,
  Invitation,
  InviteOperatorBody,
  ListInvitationsQuery,
  ListMembersQuery,
  MadeInvitation,
  Member,
  OperatorInvited,
  RemovedMember,
  ResetMemberFactorsBody,
  SignedIn,
  UpdateMemberBody,
  UpdateMemberHeaders,
} from '../types.ts'

/** Members and invitations. */
export class TeamGroup extends Group {
  /**
   * Invite a person.
   *
   * Invites an address with a role: sends a mail with a link, which is valid once, for seven days,
   * and takes the place of an earlier one to the address. If the deployment sends no mails, the
   * answer contains the link. It ends with the membership of its sender. Fails with `email_taken`
   * where the address has a member of this team; one of another team gets a mail without a link, and
   * the answer is the same. A team, and an address of the network, may send 100 within 15 minutes,
   * in sandbox 1,000, also of those that fail or are withdrawn; a further one is 429 with
   * `Retry-After`.
   *
   * Errors of its own: `idempotency_key_reused`, `idempotency_key_in_use`, `email_taken`,
   * `too_many_invitations`.
   *
   * `POST /invitations`
   */
  createInvitation(body: CreateInvitationBody, options?: RequestOptions): Promise<MadeInvitation> {
    return this.transport.send('POST', '/invitations', { body, keyed: true }, options)
  }

  /**
   * List invitations.
   *
   * Lists the invitations of the team that are open, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /invitations`
   */
  listInvitations(query?: ListInvitationsQuery, options?: RequestOptions): List<Invitation> {
    return this.transport.list('GET', '/invitations', { query }, options)
  }

  /**
   * Withdraw an invitation.
   *
   * Withdraws an invitation that is open. Its link is not valid any more.
   *
   * Errors of its own: `not_found`.
   *
   * `DELETE /invitations/{id}`
   */
  deleteInvitation(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/invitations/${id}`, {}, options)
  }

  /**
   * Accept an invitation.
   *
   * Makes the invited person a member with the token of the link, and begins a session, whose cookie
   * the answer sets. A password that is not accepted leaves the link valid.
   *
   * Errors of its own: `token_invalid`, `email_taken`.
   *
   * `POST /invitations:accept`
   */
  acceptInvitation(body: AcceptInvitationBody, options?: RequestOptions): Promise<SignedIn> {
    return this.transport.send('POST', '/invitations:accept', { body }, options)
  }

  /**
   * Invite an owner of the operator’s team.
   *
   * Invites an address to the operator’s team as `operator_owner` and answers the link, which is
   * valid once, for seven days; no mail is sent. It is called with the operator’s key: so the first
   * member of the team is made. Fails with `email_taken` if the address has a member.
   *
   * Errors of its own: `idempotency_key_reused`, `idempotency_key_in_use`, `email_taken`,
   * `too_many_invitations`.
   *
   * `POST /operators:invite`
   */
  inviteOperator(body: InviteOperatorBody, options?: RequestOptions): Promise<OperatorInvited> {
    return this.transport.send('POST', '/operators:invite', { body, keyed: true }, options)
  }

  /**
   * Reset the factors of a sole owner.
   *
   * Removes every second factor of the only owner of a team, whom nobody else can help. Any other
   * member fails with `not_sole_owner`. The owner gets a mail, and every session of the owner ends.
   *
   * Errors of its own: `not_found`, `not_sole_owner`.
   *
   * `DELETE /owners/{id}/factors`
   */
  resetFactors(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/owners/${id}/factors`, {}, options)
  }

  /**
   * List members.
   *
   * Lists the members of the team, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /members`
   */
  listMembers(query?: ListMembersQuery, options?: RequestOptions): List<Member> {
    return this.transport.list('GET', '/members', { query }, options)
  }

  /**
   * Change the role of a member.
   *
   * Changes the role of a member, whose sessions end with it. Fails with `last_owner` if the team
   * would be without an owner. The open invitations of a member who may invite no longer end too.
   * With a role whose keys may do less, the API keys that the member has made are revoked, unless
   * `revoke_keys` is false; the answer names them, and those that still work.
   *
   * Errors of its own: `not_found`, `last_owner`, `changed_meanwhile`.
   *
   * `PUT /members/{id}`
   */
  updateMember(
    id: string,
    body: UpdateMemberBody,
    options?: RequestOptions & { headers?: UpdateMemberHeaders },
  ): Promise<ChangedMember> {
    return this.transport.send('PUT', path`/members/${id}`, { body }, options)
  }

  /**
   * Remove a member.
   *
   * Removes a member, whose sessions and open invitations end with it, in every process within a
   * second. The address may be invited or sign up again. Fails with `last_owner` for the last owner.
   * The API keys that the member has made are revoked, unless `revoke_keys` is false; the answer
   * names them, and those that still work.
   *
   * Errors of its own: `not_found`, `last_owner`, `changed_meanwhile`.
   *
   * `DELETE /members/{id}`
   */
  deleteMember(
    id: string,
    body?: DeleteMemberBody,
    options?: RequestOptions & { headers?: DeleteMemberHeaders },
  ): Promise<RemovedMember> {
    return this.transport.send('DELETE', path`/members/${id}`, { body }, options)
  }

  /**
   * Reset the factors of a member.
   *
   * Removes every second factor of a member, who has lost it or has an intruder’s. The member gets a
   * mail, and every session of the member ends. An owner who names the own id needs the password, as
   * for the removal of one factor.
   *
   * Errors of its own: `credentials_wrong`, `not_found`.
   *
   * `DELETE /members/{id}/factors`
   */
  resetMemberFactors(
    id: string,
    body?: ResetMemberFactorsBody,
    options?: RequestOptions,
  ): Promise<void> {
    return this.transport.send('DELETE', path`/members/${id}/factors`, { body }, options)
  }
}
