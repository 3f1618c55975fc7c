// A form, or fields that are saved when they are left: what is wrong with each field, and what is saved.

import { untrack } from 'svelte';
import { change, type Result } from './api/client.ts';
import type { Problem } from './api/types.ts';
import { refusalOf, type Place } from './model/form.ts';

/** The place of what a button sends: the whole form. */
const WHOLE: Place = '';

export interface Submitted<T> {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** The version that the change is made to: the server refuses it if there is another one by now. */
  ifMatch?: string;
  /** What the page says while the server saves it, and when it has. */
  doing?: string;
  done?: string | ((data: T) => string);
  /** How the places of its fields begin, if a form has fields of several requests. */
  of?: Place;
  /** The field of a place in the request, if fields have other places. */
  placeOf?: (place: Place) => Place;
}

export class Form {
  /** The API's message about the value of a field. */
  errors = $state.raw<Readonly<Record<Place, string>>>({});
  /** Sentences about what has no field. */
  others = $state.raw<readonly string[]>([]);
  /** The request failed for another reason than its content. */
  problem = $state.raw<Problem | null>(null);
  /** What is said about a field, or about the whole form: that it is being saved, or that it is saved. */
  #states = $state.raw<Readonly<Record<Place, string>>>({});
  #fields: readonly Place[] = [];
  #written: readonly Place[] = [];

  /** A field is on the page, until the result is called. */
  add(field: Place): () => void {
    this.#fields = [...this.#fields, field];
    return () => (this.#fields = this.#fields.filter((one) => one !== field));
  }

  stateOf(field: Place = WHOLE): string {
    return this.#states[field] ?? '';
  }

  /** A field was left: the next `submit` contains its value. */
  write(field: Place): void {
    this.#written = [...this.#written, field];
    this.errors = without(this.errors, [field]);
    // Only what is saved last says so.
    const saving = Object.entries(this.#states).filter(([, state]) => state === SAVING);
    this.#states = { ...Object.fromEntries(saving), [field]: SAVING };
  }

  /** What the user wrote cannot be sent. */
  refuse(field: Place, message: string): void {
    untrack(() => {
      this.errors = { ...this.errors, [field]: message };
      this.#states = without(this.#states, [field]);
    });
  }

  /** Save the fields that were left; if there are none, a button was clicked, and the whole form is saved. */
  async submit<T>({ method, path, body, ifMatch, doing = SAVING, done = 'Saved.', of = '', placeOf = (place) => `${of}${place}` }: Submitted<T>): Promise<Result<T>> {
    if (this.#written.length === 0) {
      this.clear();
      this.#written = [WHOLE];
      this.#states = { [WHOLE]: doing };
    }
    const sent = this.#written.filter((field) => field.startsWith(of));
    this.#written = this.#written.filter((field) => !sent.includes(field));
    const result = await change<T>(method, path, body, ifMatch);
    // A field may have been written again in the meantime.
    const finished = sent.filter((field) => !this.#written.includes(field));
    const text = !result.ok ? '' : typeof done === 'string' ? done : done(result.data);
    this.#states = { ...this.#states, ...Object.fromEntries(finished.map((field) => [field, text])) };
    this.show(result.ok ? null : result.problem, placeOf);
    return result;
  }

  /** Say why a request was refused; null if it was not. */
  show(problem: Problem | null, placeOf?: (place: Place) => Place): void {
    const errors = untrack(() => this.errors);
    const refusal = problem && refusalOf(problem, this.#fields, placeOf);
    this.errors = { ...errors, ...refusal?.atFields };
    this.others = refusal?.others ?? [];
    this.problem = refusal ? null : problem;
  }

  clear(): void {
    this.errors = {};
    this.#states = {};
    this.show(null);
  }
}

const SAVING = 'Saving…';

function without(texts: Readonly<Record<Place, string>>, fields: readonly Place[]): Record<Place, string> {
  return Object.fromEntries(Object.entries(texts).filter(([field]) => !fields.includes(field)));
}
