/** Routes of users. */

import type { Context } from '#kit/context.ts'
import { lockRow } from '#kit/db/locks.ts'
import { type Input, route } from '#kit/http/route.ts'
import { IdPath, ListOf, ListQuery, Strict } from '#kit/http/schema.ts'
import {
  NewUser,
  RelationshipQuery,
  StatusChange,
  StatusUpdate,
  User,
  UserChanges,
  UserQuery,
  UserSearch,
} from './schema.ts'
import {
  changeUserStatus,
  createUser,
  findUser,
  linkedRelationships,
  listStatusChanges,
  listUsers,
  searchUsers,
  updateUser,
} from './users.ts'

const RELATIONS = ['parent_not_eligible', 'parent_cycle', 'user_already_linked'] as const
const LINKED = '/users/{id}:getLinkedRelationships'
const Page = ListOf(User)
const NoBody = Strict({})

/** Both GET and POST serve it (D-5). */
const linked = (
  ctx: Context,
  { params, query }: Pick<Input<{ id: string }, RelationshipQuery, unknown>, 'params' | 'query'>,
) => linkedRelationships(ctx, params.id, query)

export const userRoutes = [
  route({
    id: 'createUser',
    tag: 'Users',
    description:
      'Creates a user in the first status that the settings of the tenant give to its type: ' +
      'PENDINGIDVERIFICATION, PENDINGKYC, PENDINGKYB or ACTIVE. An INDIVIDUAL needs ' +
      '`first_name`, a BUSINESS `business_legal_name` and `business_dba_name`, a DIRECTOR and a ' +
      'SIGNATURE `first_name`, `last_name` and `designation`, a SHAREHOLDER `first_name`, ' +
      '`last_name` and `shares_percentage`, a SHAREHOLDER_BUSINESS `business_legal_name`, ' +
      '`license_type` and `license_expiry`; none of them may be blank. A field of another type ' +
      'is 400. A sub-user of a business joins the list of its parent. Sends USER_CREATED, and ' +
      'IDENTITY_VERIFICATION with an SDK token when identity verification starts.',
    method: 'POST',
    path: '/users',
    permission: 'write',
    summary: 'Create a user',
    body: NewUser,
    answer: User,
    errors: ['id_taken', ...RELATIONS, 'not_configured'],
    run: (ctx, { body }) => createUser(ctx, body),
  }),
  route({
    id: 'listUsers',
    tag: 'Users',
    description:
      'Lists the users of the tenant, newest first: all, or those that match every filter that ' +
      'is sent.',
    method: 'GET',
    path: '/users',
    permission: 'read',
    summary: 'List users',
    query: UserQuery,
    answer: Page,
    run: (ctx, { query }) => listUsers(ctx, query),
  }),
  route({
    id: 'searchUsers',
    tag: 'Users',
    description:
      'Finds users by name, mobile and e-mail; all members that are sent must match. `email` ' +
      'and `mobile` match the whole value, `name` matches the beginning of any word of a name. ' +
      'Results are newest first.',
    method: 'POST',
    path: '/users:search',
    permission: 'read',
    summary: 'Search users',
    body: UserSearch,
    answer: Page,
    run: (ctx, { body }) => searchUsers(ctx, body),
  }),
  route({
    id: 'getUser',
    tag: 'Users',
    description: 'Returns one user. Fields that were never set are absent.',
    method: 'GET',
    path: '/users/{id}',
    permission: 'read',
    summary: 'Get a user',
    params: IdPath,
    answer: User,
    lock: (tx, params) => lockRow(tx, 'users', params.id),
    run: (ctx, { params }) => findUser(ctx, params.id),
  }),
  route({
    id: 'updateUser',
    tag: 'Users',
    description:
      'Changes only the fields that are sent. Null clears a field, objects merge member by ' +
      'member, and a list replaces the list before. `user_type` cannot change. While the tenant ' +
      'requires KYC, `first_name`, `middle_name`, `last_name`, `native_name`, `date_of_birth`, ' +
      '`nationality`, `place_of_birth`, `business_legal_name`, `entity_registered_no` and `tin` ' +
      'of an ACTIVE user cannot change (`field_locked`).',
    method: 'PUT',
    path: '/users/{id}',
    permission: 'write',
    summary: 'Update a user',
    params: IdPath,
    body: UserChanges,
    answer: User,
    errors: ['field_locked', ...RELATIONS],
    run: (ctx, { params, body }) => updateUser(ctx, params.id, body),
  }),
  route({
    id: 'changeUserStatus',
    tag: 'Users',
    description:
      'Moves the user to a status and reason code that its present state allows; any other move ' +
      'fails with `user_status_move_refused`. Reasons B0 and B0E check the stored documents; B2 ' +
      'and B2E issue a new SDK token. A suspension ends an open identity check. Every change is ' +
      'recorded and sends USER_STATUS_CHANGE; B2 and B2E also send IDENTITY_VERIFICATION.',
    method: 'PUT',
    path: '/users/{id}:changeStatus',
    permission: 'write',
    summary: 'Change the status of a user',
    params: IdPath,
    body: StatusUpdate,
    answer: User,
    errors: ['user_status_move_refused', 'identity_documents_missing', 'not_configured'],
    run: (ctx, { params, body }) => changeUserStatus(ctx, params.id, body),
  }),
  route({
    id: 'listUserStatusChanges',
    tag: 'Users',
    description:
      'Lists every change of the status or reason code of a user, newest first, with the actor ' +
      'and the note of each.',
    method: 'GET',
    path: '/users/{id}/statuschanges',
    permission: 'read',
    summary: 'List the status changes of a user',
    params: IdPath,
    query: ListQuery({}),
    answer: ListOf(StatusChange),
    run: (ctx, { params, query }) => listStatusChanges(ctx, params.id, query),
  }),
  route({
    id: 'listLinkedUsers',
    tag: 'Users',
    description:
      'Lists the children of a user, newest first. With `depth=all` the list contains the users ' +
      'at every level below it.',
    method: 'GET',
    path: LINKED,
    permission: 'read',
    summary: 'List the users below a user',
    params: IdPath,
    query: RelationshipQuery,
    answer: Page,
    run: linked,
  }),
  route({
    id: 'listLinkedUsersByPost',
    tag: 'Users',
    description: 'Does the same as the GET operation on this path. The body is empty.',
    method: 'POST',
    path: LINKED,
    permission: 'read',
    summary: 'List the users below a user by POST',
    params: IdPath,
    query: RelationshipQuery,
    body: NoBody,
    bodyOptional: true,
    answer: Page,
    run: linked,
  }),
]
