import type { Option } from '../elements.client.ts';
import type { Names } from './blocks.client.ts';

/** Names and kinds by ids, as `/_people` lists them. */
export interface DirectoryEntries {
  people: Record<string, string>;
  conversations: Record<string, string>;
  betweenPeople: Record<string, string>;
}

/** The people and conversations that every workspace has. */
export class Directory {
  readonly #entries: DirectoryEntries;

  constructor(entries: DirectoryEntries) {
    this.#entries = entries;
  }

  /** Names of people by their ids. */
  get names(): Names {
    return this.#entries.people;
  }

  get people(): Option[] {
    return Object.entries(this.#entries.people);
  }

  /** What a message can be sent to. */
  get places(): Option[] {
    const { people, conversations, betweenPeople } = this.#entries;
    return [
      ...Object.entries(people).map(([id, name]): Option => [id, `@${name}`]),
      ...Object.entries(conversations).map(([id, kind]): Option => [
        id,
        `${betweenPeople[id] ?? conversationName(id)} (${kind})`,
      ]),
    ];
  }

  /** As the platform sends the text of a command: people and channels by their ids. */
  escaped(text: string) {
    const { people, conversations } = this.#entries;
    return text
      .replace(/@(\w+)/g, (given, name: string) => {
        const id = Object.keys(people).find((one) => people[one] === name);
        return id ? `<@${id}|${name}>` : given;
      })
      .replace(/#(\w+)/g, (given, name: string) => {
        const id = `C0${name.toUpperCase()}`;
        return id in conversations ? `<#${id}|${name}>` : given;
      });
  }
}

/** `C0GENERAL` is #general, and `D0BOB` the conversation of bob with the app. */
export function conversationName(id: string) {
  return `${id.startsWith('C') ? '#' : ''}${id.slice(2).toLowerCase()}${id.startsWith('D') ? ' and the app' : ''}`;
}
