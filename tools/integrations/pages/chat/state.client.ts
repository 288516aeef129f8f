import type { Block, ChatText } from './blocks.client.ts';

/** What the app has made in a workspace, as `/_state` answers. */
export interface State {
  views: View[];
  messages: Message[];
}

export interface View {
  id: string;
  hash: string;
  type: 'home' | 'modal';
  callback_id: string;
  title: ChatText;
  submit?: ChatText;
  close?: ChatText;
  blocks: Block[];
}

export interface Message {
  channel: string;
  ts: string;
  text: string;
  blocks?: Block[];
}
