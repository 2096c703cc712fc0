// CAUSE: Tiles are numbered row by row, so the row of tile t is t / across. The kernel divides by the number of tiles down instead.
// LINES: 20
// REPAIR: line 20: `int tileRow = t / down;` -> `int tileRow = t / across;`
// SYMPTOM: If there are as many tiles across as down it is right; in all other matrices some tiles are left out, and others are moved twice.
#include "transpose.h"

#define TILE 32
#define MAX_BLOCKS 1056

__global__ void transposeTiles(const float *in, float *out, int rows, int columns, int across,
                               int down)
{
    __shared__ float buf[TILE][TILE + 1];
    int x = threadIdx.x;
    int y = threadIdx.y;

    // tiles are numbered row by row
    for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
        int tileColumn = t % across;
        int tileRow = t / down;

        int c = tileColumn * TILE + x;
        int r = tileRow * TILE + y;
        if (c < columns && r < rows)
            buf[y][x] = in[r * columns + c];
        __syncthreads();

        int outColumn = tileRow * TILE + x;
        int outRow = tileColumn * TILE + y;
        if (outColumn < rows && outRow < columns)
            out[outRow * rows + outColumn] = buf[x][y];
        __syncthreads();
    }
}

void transpose(const float *in, float *out, int rows, int columns)
{
    int across = (columns + TILE - 1) / TILE;
    int down = (rows + TILE - 1) / TILE;
    int tiles = across * down;
    if (tiles == 0)
        return;
    int blocks = tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS;
    transposeTiles<<<blocks, dim3(TILE, TILE)>>>(in, out, rows, columns, across, down);
}
