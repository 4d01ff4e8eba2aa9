/** Public functions of the users slice. */

export { auditUsers } from './audit.ts'
export { createUser } from './create.ts'
export {
  activeUser,
  findUser,
  keepUsers,
  linkedRelationships,
  listUsers,
  lockUser,
  presentUsers,
  requireActiveUser,
} from './find.ts'
export { type PlatformTrigger, reasons } from './rules/status.ts'
export { searchUsers } from './search.ts'
export {
  changeUserStatus,
  listStatusChanges,
  type Moved,
  mayStep,
  savePassedKyc,
  stepUser,
} from './status.ts'
export { findUserRow, listMembersOf, lockUsers, type UserRow } from './store.ts'
export { updateUser } from './update.ts'
