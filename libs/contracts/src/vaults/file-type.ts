import type { FileType } from './ingot.js';

/** Each extension occurs once, under its most common use. */
const extensions: Readonly<Record<Exclude<FileType, 'other'>, string>> = {
  image: `jpg jpeg jpe jfif pjpeg png apng gif bmp dib tif tiff webp heic heif heics avif avifs ico cur jp2 j2k jpx jxl
    jxr hdp wdp tga dds exr hdr pbm pgm ppm pnm pcx svg svgz raw arw cr2 cr3 crw dcr dng erf kdc mef mos mrw nef nrw
    orf pef raf rw2 rwl sr2 srf srw x3f dcm`,
  video: `mp4 m4v mov qt mkv webm avi wmv asf flv f4v mpg mpeg mpe m1v m2v mpv m2ts mts vob ogv ogm 3gp 3g2 mxf rm rmvb
    divx h264 h265 hevc y4m`,
  audio: `mp3 m4a m4b m4p m4r aac wav wave flac ogg oga opus wma aif aiff aifc alac amr ape au snd caf dsf dff mid midi
    mka mp2 mpa ra weba wv ac3 eac3 dts`,
  document: `pdf doc docx docm dot dotx dotm odt ott fodt rtf txt text md markdown mdown rst adoc asciidoc tex latex
    bib log pages wpd wps wri xps oxps ps eml msg emlx mbox ics vcf djvu djv one hwp hwpx abw gdoc`,
  spreadsheet: `xls xlsx xlsm xlsb xlt xltx xltm xlw csv tsv ods ots fods numbers gsheet dif slk parquet`,
  presentation: `ppt pptx pptm pps ppsx ppsm pot potx potm odp otp fodp key keynote gslides`,
  archive: `zip zipx rar r00 7z tar gz tgz gzip bz2 bz tbz tbz2 xz txz lz lzma lzo lz4 zst tzst z cab iso img dmg arj
    lha lzh ace sit sitx cpio ar deb rpm apk jar war ear xpi pkg msi vhd vhdx vmdk wim`,
  code: `js mjs cjs jsx ts cts tsx html htm xhtml css scss sass less json jsonc json5 jsonl ndjson xml xsl xslt xsd
    yaml yml toml ini cfg conf env properties py pyw pyi ipynb rb erb php phtml java kt kts groovy gradle scala clj
    cljs go rs c h cc cpp cxx hh hpp hxx m mm swift cs fs fsx vb vbs sql sh bash zsh fish ksh ps1 psm1 psd1 bat cmd
    pl pm lua r rmd jl dart ex exs erl hrl elm hs lhs ml mli nim zig v sv vhdl asm s pas f f90 for d lisp el scm
    rkt tcl vue svelte astro graphql gql proto tf tfvars hcl cmake mk diff patch wasm sol`,
  design: `psd psb ai eps sketch fig xd indd indt idml afdesign afphoto afpub cdr xcf kra procreate clip pxd blend c4d
    drawio vsd vsdx vsdm vss vst odg otg lottie`,
  cad: `dwg dxf dwf dwfx dgn step stp iges igs stl obj 3mf sldprt sldasm slddrw ipt iam idw catpart catproduct
    catdrawing prt x_t x_b jt f3d f3z skp rvt rfa rte ifc 3dm fcstd scad brep sat fbx gltf glb 3ds ply dae usdz
    nc gcode`,
  ebook: `epub mobi azw azw1 azw3 azw4 kfx fb2 fbz lit lrf pdb prc ibooks cbz cbr cb7 cbt`,
  font: `ttf otf ttc otc woff woff2 eot pfb pfm afm dfont bdf pcf fnt fon suit glyphs ufo`,
};

const typeByExtension: ReadonlyMap<string, FileType> = new Map(
  Object.entries(extensions).flatMap(([type, list]) =>
    list.split(/\s+/).map((extension): [string, FileType] => [extension, type as FileType]),
  ),
);

/** The category of a file by the last extension of its name, in any case; `other` without a known extension. */
export function fileTypeOf(name: string): FileType {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return 'other'; // `.profile` is a name, not an extension
  return typeByExtension.get(name.slice(dot + 1).toLowerCase()) ?? 'other';
}
