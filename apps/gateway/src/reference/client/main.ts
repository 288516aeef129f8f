import { addCopyButtons } from './copy-buttons.js';
import { drawReference } from './draw-reference.js';
import { addSearchBox } from './search-box.js';

const main = document.querySelector('main');
const search = document.querySelector('#search');
const { viewer, document: documentUrl = '' } = document.body.dataset;

if (search) addSearchBox(search);
if (viewer !== undefined) void drawReference(viewer, documentUrl);
else if (main) addCopyButtons(main);
