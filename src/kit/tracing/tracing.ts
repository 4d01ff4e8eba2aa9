/**
 * Spans by the API of OpenTelemetry. Without an exporter nothing is made: each function then calls
 * its work, or does nothing. An attribute contains no value of a row, a message or a body.
 */

import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { maskNumbers } from '#kit/log.ts'

/** A place in a trace, of which further spans are children. */
export type Place = Context

/** The one that spans go to, and the form in which requests name their place. */
export type Tracing = { tracer: Tracer; propagator: TextMapPropagator }

export type SpanOptions = {
  kind?: 'server' | 'client'
  attributes?: Attributes
  /** Its parent; the span that is under way if it is left out. */
  parent?: Place | undefined
  /** Further spans that it serves. */
  others?: readonly Place[]
}

/** A span that is ended by hand. */
export type OpenSpan = {
  place: Place
  set: (attributes: Attributes) => void
  /** A second end is ignored. */
  end: (error?: unknown) => void
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const
/** A text that others can cause is cut, as in log lines. */
const LONGEST = 200

let tracing: Tracing | undefined

/** Returns what ends it again. */
export function beginTracing(next: Tracing): () => void {
  tracing = next
  return () => {
    if (tracing === next) tracing = undefined
  }
}

/** Whether anything is traced. */
export const isTraced = (): boolean => tracing !== undefined

/** Undefined while nothing is traced, or outside a span. */
export const here = (): Place | undefined =>
  tracing && trace.getSpanContext(context.active()) ? context.active() : undefined

/** Begins a span; undefined while nothing is traced. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracing) return undefined
  const { kind, attributes = {}, parent = context.active(), others = [] } = options
  const links = others.flatMap((other) => {
    const linked = trace.getSpanContext(other)
    return linked ? [{ context: linked }] : []
  })
  const span = tracing.tracer.startSpan(
    name,
    { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes: masked(attributes), links },
    parent,
  )
  return opened(span, trace.setSpan(parent, span))
}

function opened(span: Span, place: Place): OpenSpan {
  return {
    place,
    set: (attributes) => void span.setAttributes(masked(attributes)),
    end: (error) => {
      if (error !== undefined) {
        const { name, message } = error instanceof Error ? error : { name: 'Error', message: '' }
        span.setAttribute('error.type', name)
        span.setStatus({ code: SpanStatusCode.ERROR, message: cut(message) })
      }
      if (span.isRecording()) span.end()
    },
  }
}

/** Does the work within a span, which ends with it. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = openSpan(name, options)
  return span ? endingWith(span, work) : work()
}

async function endingWith<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await within(span.place, work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Does the work as a part of that place; as it is, where there is none. */
export const within = <Result>(place: Place | undefined, work: () => Result): Result =>
  place ? context.with(place, work) : work()

/** A connection, and all that outlives the request which begins it, is of no trace. */
export const outsideTraces = <Result>(work: () => Result): Result =>
  tracing ? context.with(ROOT_CONTEXT, work) : work()

const TRACEPARENT = 'traceparent'

/** The place as a header of W3C Trace Context; no header while nothing is traced. */
export function traceHeaders(place: Place = context.active()): { traceparent?: string } {
  const headers: Record<string, string> = {}
  tracing?.propagator.inject(place, headers, defaultTextMapSetter)
  const { [TRACEPARENT]: traceparent } = headers
  return traceparent === undefined ? {} : { traceparent }
}

/** The place that a header names; undefined if it names none. */
export function placeOf(headers: Readonly<Record<string, unknown>>): Place | undefined {
  const { [TRACEPARENT]: traceparent } = headers
  if (!tracing || typeof traceparent !== 'string') return undefined
  const place = tracing.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
  return trace.getSpanContext(place) ? place : undefined
}

const masked = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value) : value,
    ]),
  )

const cut = (text: string): string => maskNumbers(text).slice(0, LONGEST)
