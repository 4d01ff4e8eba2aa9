/** Public functions of teams: members, and invitations of further ones (D-139). */

export {
  acceptInvitation,
  invite,
  inviteOperator,
  listInvitations,
  withdrawInvitation,
} from './invitations.ts'
export { changeRole, listMembers, removeMember } from './members.ts'
