// Verifies a tiled transparency log with golang.org/x/mod: note and tlog of the Go checksum database.
//
// Usage: main <folder> <key> [<older checkpoint>]
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tileHeight is the height of tiles in C2SP tlog-tiles. Its paths leave out the height, which those of Go have.
const tileHeight = 8

const tileWidth = 1 << tileHeight

// folder reads the tiles of a log, each of them once.
type folder struct {
	path  string
	tiles map[string][]byte
}

func (f *folder) Height() int { return tileHeight }

func (f *folder) SaveTiles([]tlog.Tile, [][]byte) {}

func (f *folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for i, tile := range tiles {
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight), "tile/", 1)
		if f.tiles[path] == nil {
			bytes, err := os.ReadFile(filepath.Join(f.path, path))
			if err != nil {
				return nil, err
			}
			f.tiles[path] = bytes
		}
		data[i] = f.tiles[path]
	}
	return data, nil
}

// entries returns the entries of the bundle with this index.
func (f *folder) entries(index, size int64) ([][]byte, error) {
	width := size - index*tileWidth
	if width > tileWidth {
		width = tileWidth
	}
	tile := tlog.Tile{H: tileHeight, L: 0, N: index, W: int(width)}
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/0/", tileHeight), "tile/entries/", 1)
	bundle, err := os.ReadFile(filepath.Join(f.path, path))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(bundle) >= 2 {
		end := 2 + int(binary.BigEndian.Uint16(bundle))
		if end > len(bundle) {
			break
		}
		entries = append(entries, bundle[2:end])
		bundle = bundle[end:]
	}
	if len(bundle) > 0 || int64(len(entries)) != width {
		return nil, fmt.Errorf("%s does not have %d entries", path, width)
	}
	return entries, nil
}

// open verifies a checkpoint with note.Open and returns its tree.
func open(path string, key string) (tlog.Tree, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return tlog.Tree{}, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, fmt.Errorf("%s: %v", path, err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 {
		return tlog.Tree{}, fmt.Errorf("%s is not a checkpoint", path)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return tlog.Tree{}, fmt.Errorf("%s has no root hash", path)
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	fmt.Printf("note.Open: %s, size %d, signed by %s\n", filepath.Base(path), size, opened.Sigs[0].Name)
	return tree, nil
}

// checkRecords proves each entry of the log with the tiles, and verifies the proof.
func checkRecords(tree tlog.Tree, files *folder) error {
	reader := tlog.TileHashReader(tree, files)
	root, err := tlog.TreeHash(tree.N, reader)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return fmt.Errorf("the root of the tiles is %v, not %v", root, tree.Hash)
	}
	fmt.Println("tlog.TreeHash: the tiles have the root of the checkpoint")
	for index := int64(0); index*tileWidth < tree.N; index++ {
		entries, err := files.entries(index, tree.N)
		if err != nil {
			return err
		}
		for place, entry := range entries {
			record := index*tileWidth + int64(place)
			proof, err := tlog.ProveRecord(tree.N, record, reader)
			if err != nil {
				return err
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, record, tlog.RecordHash(entry)); err != nil {
				return fmt.Errorf("record %d: %v", record, err)
			}
		}
	}
	fmt.Printf("tlog.CheckRecord: %d records\n", tree.N)
	return nil
}

func checkTree(older, tree tlog.Tree, files *folder) error {
	proof, err := tlog.ProveTree(tree.N, older.N, tlog.TileHashReader(tree, files))
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(proof, tree.N, tree.Hash, older.N, older.Hash); err != nil {
		return err
	}
	fmt.Printf("tlog.CheckTree: size %d continues size %d\n", tree.N, older.N)
	return nil
}

func run(args []string) error {
	files := &folder{path: args[0], tiles: map[string][]byte{}}
	tree, err := open(filepath.Join(args[0], "checkpoint"), args[1])
	if err != nil {
		return err
	}
	if err := checkRecords(tree, files); err != nil {
		return err
	}
	if len(args) < 3 {
		return nil
	}
	older, err := open(args[2], args[1])
	if err != nil {
		return err
	}
	return checkTree(older, tree, files)
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("Usage: main <folder> <key> [<older checkpoint>]")
	}
	if err := run(os.Args[1:]); err != nil {
		log.Fatalf("NOT INTACT: %v", err)
	}
	fmt.Println("INTACT")
}
