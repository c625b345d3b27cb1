int mpi_sum(int arr[MAX_SIZE], int length) {
    #pragma HLS ARRAY_RESHAPE variable=arr \
        factor=16 dim=1
    int i = 0, res = 0;
    for (; i < length; ++i)
        res += arr[i];
    return res;
}
