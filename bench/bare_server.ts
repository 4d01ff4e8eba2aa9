/**
 * A server to compare the API with: Fastify alone with the same statements on the same settings of
 * the driver, a process of its own. It knows no keys, rates, schemas or rules.
 */

import Fastify from 'fastify'
import pg from 'pg'

export type Bare = {
  database_url: string
  connections: number
  tenant_id: string
  /** The statements of our program, with the columns in its answer. */
  card: string
  cards: string
}

process.once('message', (bare: Bare) => void serve(bare))

async function serve(bare: Bare): Promise<void> {
  const { database_url: connectionString, connections: max, tenant_id } = bare
  const pool = new pg.Pool({ connectionString, max, pipeline: true } as pg.PoolConfig)
  const app = Fastify()
  app.get<{ Params: { id: string } }>('/cards/:id', async ({ params }) => {
    const values = [tenant_id, params.id]
    const { rows } = await pool.query({ name: 'card', text: bare.card, values })
    return rows[0]
  })
  app.get<{ Querystring: { limit: number } }>('/cards', async ({ query }) => {
    const values = [tenant_id, Number(query.limit) + 1]
    const { rows } = await pool.query({ name: 'cards', text: bare.cards, values })
    return { data: rows }
  })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  process.send?.({ port })
}
