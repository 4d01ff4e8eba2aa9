/** HTTP in and out of users. */

import type { Context } from '#kit/context.ts'
import { type Input, route } from '#kit/route.ts'
import { IdPath, ListOf, ListQuery, Strict } from '#kit/schema.ts'
import {
  NewUser,
  RelationshipQuery,
  StatusChange,
  StatusWanted,
  User,
  UserChanges,
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

/** Given by GET and by POST alike (D-5). */
const linked = (
  ctx: Context,
  { params, query }: Pick<Input<{ id: string }, RelationshipQuery, unknown>, 'params' | 'query'>,
) => linkedRelationships(ctx, params.id, query)

export const userRoutes = [
  route({
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
    method: 'GET',
    path: '/users',
    permission: 'read',
    summary: 'List users, newest first',
    query: ListQuery({}),
    answer: Page,
    run: (ctx, { query }) => listUsers(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/users:search',
    permission: 'read',
    summary: 'Search users by name, mobile and e-mail; what is given must all match',
    body: UserSearch,
    answer: Page,
    run: (ctx, { body }) => searchUsers(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/users/{id}',
    permission: 'read',
    summary: 'Get a user',
    params: IdPath,
    answer: User,
    run: (ctx, { params }) => findUser(ctx, params.id),
  }),
  route({
    method: 'PUT',
    path: '/users/{id}',
    permission: 'write',
    summary: 'Update a user; null clears a field, lists are replaced',
    params: IdPath,
    body: UserChanges,
    answer: User,
    errors: ['field_locked', ...RELATIONS],
    run: (ctx, { params, body }) => updateUser(ctx, params.id, body),
  }),
  route({
    method: 'PUT',
    path: '/users/{id}:changeStatus',
    permission: 'write',
    summary: 'Change the status of a user',
    params: IdPath,
    body: StatusWanted,
    answer: User,
    errors: ['user_status_move_refused', 'identity_documents_missing', 'not_configured'],
    run: (ctx, { params, body }) => changeUserStatus(ctx, params.id, body),
  }),
  route({
    method: 'GET',
    path: '/users/{id}/statuschanges',
    permission: 'read',
    summary: 'List the changes of a user’s status, newest first',
    params: IdPath,
    query: ListQuery({}),
    answer: ListOf(StatusChange),
    run: (ctx, { params, query }) => listStatusChanges(ctx, params.id, query),
  }),
  route({
    method: 'GET',
    path: LINKED,
    permission: 'read',
    summary: 'List the children of a user, or with depth=all everyone below it',
    params: IdPath,
    query: RelationshipQuery,
    answer: Page,
    run: linked,
  }),
  route({
    method: 'POST',
    path: LINKED,
    permission: 'read',
    summary: 'List the children of a user, as GET does',
    params: IdPath,
    query: RelationshipQuery,
    body: NoBody,
    bodyOptional: true,
    answer: Page,
    run: linked,
  }),
]
