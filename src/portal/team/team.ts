/** Public functions of teams: members, and invitations of further ones (D-139). */

export {
  acceptInvitation,
  assertRoleOfTeam,
  invite,
  inviteOperator,
  listInvitations,
  withdrawInvitation,
} from './invitations.ts'
export {
  changeRole,
  listMembers,
  lockMember,
  removeMember,
  resetFactors,
  resetFactorsAsOperator,
} from './members.ts'
