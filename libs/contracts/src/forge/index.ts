export * from './transfer.js';
