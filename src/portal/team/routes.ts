import { recordChange } from '#kit/audit_log/records.ts'
import { type Tx, transact } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath, Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { Member } from '#portal/people/schema.ts'
import { PasswordAgain } from '#portal/second_factors/schema.ts'
import { checkPassword } from '#portal/second_factors/second_factors.ts'
import { SignedIn } from '#portal/sessions/schema.ts'
import {
  Acceptance,
  ChangedMember,
  InvitationList,
  MadeInvitation,
  MemberList,
  NewInvitation,
  OperatorInvitation,
  OperatorInvited,
  Removal,
  RemovedMember,
  RoleChange,
  TeamQuery,
} from './schema.ts'
import {
  acceptInvitation,
  assertRoleOfTeam,
  changeRole,
  invite,
  inviteOperator,
  listInvitations,
  listMembers,
  lockMember,
  removeMember,
  resetFactors,
  resetFactorsAsOperator,
  withdrawInvitation,
} from './team.ts'

const invitationRoutes = (mailing: Mailing): Route[] => [
  route({
    id: 'createInvitation',
    tag: 'Team',
    description:
      'Invites an address with a role: sends a mail with a link, which is valid once, for seven ' +
      'days, and takes the place of an earlier one to the address. If the deployment sends no ' +
      'mails, the answer contains the link. It ends with the membership of its sender. Fails ' +
      'with `email_taken` where the address has a member of this team; one of another team gets ' +
      'a mail without a link, and the answer is the same. A team, and an address of the network, ' +
      'may send 100 within 15 minutes, in sandbox 1,000, also of those that fail or are ' +
      'withdrawn; a further one is 429 with `Retry-After`.',
    method: 'POST',
    path: '/invitations',
    permission: 'team',
    summary: 'Invite a person',
    visits: true,
    // An invitation that fails stays counted, under an idempotency key too.
    keepsOwnAnswer: true,
    rules: async (ctx, { body }) => assertRoleOfTeam(ctx, body.role),
    body: NewInvitation,
    answer: MadeInvitation,
    status: 201,
    answersSecret: true,
    errors: ['email_taken', 'too_many_invitations'],
    run: (ctx, input) =>
      invite(ctx, input.body, { ...mailing, visit: visitIn(input), keep: input.keep }),
  }),
  route({
    id: 'listInvitations',
    tag: 'Team',
    description: 'Lists the invitations of the team that are open, newest first.',
    method: 'GET',
    path: '/invitations',
    permission: 'team',
    summary: 'List invitations',
    query: TeamQuery,
    answer: InvitationList,
    run: (ctx, { query }) => listInvitations(ctx, query),
  }),
  route({
    id: 'deleteInvitation',
    tag: 'Team',
    description: 'Withdraws an invitation that is open. Its link is not valid any more.',
    method: 'DELETE',
    path: '/invitations/{id}',
    permission: 'team',
    summary: 'Withdraw an invitation',
    params: IdPath,
    answer: Nothing,
    status: 204,
    run: (ctx, { params }) => withdrawInvitation(ctx, params.id),
  }),
  route({
    id: 'acceptInvitation',
    tag: 'Team',
    description:
      'Makes the invited person a member with the token of the link, and begins a session, whose ' +
      'cookie the answer sets. A password that is not accepted leaves the link valid.',
    method: 'POST',
    path: '/invitations:accept',
    permission: 'open',
    summary: 'Accept an invitation',
    visits: true,
    commitsItself: true,
    body: Acceptance,
    answer: SignedIn,
    status: 201,
    errors: ['token_invalid', 'email_taken', 'unavailable'],
    run: (ctx, input) => acceptInvitation(ctx, input.body, visitIn(input)),
  }),
]

const operatorRoutes = (mailing: Mailing): Route[] => [
  route({
    id: 'inviteOperator',
    tag: 'Team',
    description:
      'Invites an address to the operator’s team as `operator_owner` and answers the link, which ' +
      'is valid once, for seven days; no mail is sent. It is called with the operator’s key: so ' +
      'the first member of the team is made. Fails with `email_taken` if the address has a ' +
      'member.',
    method: 'POST',
    path: '/operators:invite',
    permission: 'operator',
    summary: 'Invite an owner of the operator’s team',
    body: OperatorInvitation,
    answer: OperatorInvited,
    status: 201,
    answersSecret: true,
    errors: ['email_taken', 'too_many_invitations'],
    run: (ctx, { body }) => inviteOperator(ctx, body, mailing),
  }),
  route({
    id: 'resetFactorsAsOperator',
    tag: 'Team',
    description:
      'Removes every second factor of the only owner of a team, whom nobody else can help. Any ' +
      'other member fails with `not_sole_owner`. The owner gets a mail, and every session of the ' +
      'owner ends.',
    method: 'DELETE',
    path: '/owners/{id}/factors',
    permission: 'operator',
    summary: 'Reset the factors of a sole owner',
    params: IdPath,
    answer: Nothing,
    status: 204,
    errors: ['not_sole_owner'],
    run: (ctx, { params }) => resetFactorsAsOperator(ctx, params.id, mailing.outbox),
  }),
]

const member = {
  schema: Member,
  read: (tx: Tx, { params }: { params: { id: string } }) => lockMember(tx, params.id),
}

const memberRoutes = ({ outbox }: Mailing): Route[] => [
  route({
    id: 'listMembers',
    tag: 'Team',
    description: 'Lists the members of the team, newest first.',
    method: 'GET',
    path: '/members',
    permission: 'team',
    summary: 'List members',
    query: TeamQuery,
    answer: MemberList,
    run: (ctx, { query }) => listMembers(ctx, query),
  }),
  route({
    id: 'updateMember',
    tag: 'Team',
    description:
      'Changes the role of a member, whose sessions end with it. Fails with `last_owner` if ' +
      'the team would be without an owner. The open invitations of a member who may invite no ' +
      'longer end too. With a role whose keys may do less, the API keys that the member has made ' +
      'are revoked, unless `revoke_keys` is false; the answer names them, and those that still ' +
      'work.',
    method: 'PUT',
    path: '/members/{id}',
    permission: 'team',
    summary: 'Change the role of a member',
    params: IdPath,
    body: RoleChange,
    answer: ChangedMember,
    errors: ['last_owner'],
    object: member,
    run: (ctx, { params, body }) => changeRole(ctx, params.id, body),
  }),
  route({
    id: 'deleteMember',
    tag: 'Team',
    description:
      'Removes a member, whose sessions and open invitations end with it, in every process ' +
      'within a second. The address may be invited or sign up again. Fails with `last_owner` for ' +
      'the last owner. The API keys that the member has made are revoked, unless `revoke_keys` ' +
      'is false; the answer names them, and those that still work.',
    method: 'DELETE',
    path: '/members/{id}',
    permission: 'team',
    summary: 'Remove a member',
    params: IdPath,
    body: Removal,
    bodyOptional: true,
    answer: RemovedMember,
    errors: ['last_owner'],
    object: member,
    run: (ctx, { params, body }) => removeMember(ctx, params.id, body),
  }),
  route({
    id: 'resetMemberFactors',
    tag: 'Team',
    description:
      'Removes every second factor of a member, who has lost it or has an intruder’s. The member ' +
      'gets a mail, and every session of the member ends. An owner who names the own id needs ' +
      'the password, as for the removal of one factor.',
    method: 'DELETE',
    path: '/members/{id}/factors',
    permission: 'team',
    summary: 'Reset the factors of a member',
    commitsItself: true,
    params: IdPath,
    body: PasswordAgain,
    bodyOptional: true,
    answer: Nothing,
    status: 204,
    errors: ['credentials_wrong', 'rate_limited', 'unavailable'],
    async run(ctx, { params, body }) {
      const proof = await checkPassword(ctx, body)
      await transact(ctx, async (tx) => {
        await resetFactors(tx, params.id, { proof, outbox })
        recordChange(tx, [params.id])
      })
    },
  }),
]

export const teamRoutes = (mailing: Mailing): readonly Route[] => [
  ...invitationRoutes(mailing),
  ...operatorRoutes(mailing),
  ...memberRoutes(mailing),
]
