export { runDeadLetters } from './run-dead-letters.js';
