/** Answers as they are sent: without nulls, by the schema of their route. */

import type { FastifyReply } from 'fastify'

/** Leaves null and undefined members out of an answer (D-3). Dates and arrays stay. */
export function leaveOutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leaveOutNulls)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const members: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== null && member !== undefined) members[name] = leaveOutNulls(member)
  }
  return members
}

/** Serializes by the schema of the answer; members that it does not name are dropped. */
export function serializeThrough(reply: FastifyReply, status: number, result: unknown): string {
  return String(reply.serializeInput(result as Record<string, unknown>, String(status)))
}
