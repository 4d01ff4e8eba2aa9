/** Ways in which a service answers a call badly, in place of its answer. */

import type { ServerResponse } from 'node:http'

export type Misbehaviour = (response: ServerResponse, healthy: () => unknown) => void

export const json = { 'content-type': 'application/json' }
const status =
  (code: number, body = ''): Misbehaviour =>
  (response) =>
    response.writeHead(code, json).end(body)
const answering =
  (change: (answer: unknown) => string): Misbehaviour =>
  (response, healthy) =>
    response.writeHead(200, json).end(change(healthy()))

export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  'says nothing': () => {},
  'stops after half an answer': (response, healthy) => {
    const text = JSON.stringify(healthy())
    response.writeHead(200, { ...json, 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  },
  'hangs up': (response) => response.destroy(),
  'answers 429': status(429, '{"error":"slow down"}'),
  'answers 500': status(500),
  'answers 400': status(400, '{"error":"problem"}'),
  'answers 404': status(404),
  'answers 204 without a body': status(204),
  'sends one elsewhere': (response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:9/v2/search' }).end(),
  'answers twice in one': answering((answer) => JSON.stringify(answer).repeat(2)),
  'answers a page': answering(() => '<html></html>'),
  'answers nothing': answering(() => ''),
  'answers null': answering(() => 'null'),
  'answers a list': answering(() => '[]'),
  'answers an object of another kind': answering(() => '{"SDNs":null}'),
  'answers wrong types': answering((answer) =>
    JSON.stringify(answer).replace(/:("[^"]*"|[\d.]+)/g, (_, value: string) =>
      value.startsWith('"') ? ':7' : `:"${value}"`,
    ),
  ),
  'answers without end': (response) => {
    response.writeHead(200, json)
    const more = () => {
      if (!response.destroyed) response.write(' '.repeat(65_536), more)
    }
    more()
  },
}
