#include "mpi.h"
#include <stdio.h>
#define MAXSIZE 8
void fillA(int A[MAXSIZE][MAXSIZE])
{
	int i=0,j=0;
	for(i=0;i<MAXSIZE;i++)
		for(j=0;j<MAXSIZE;j++)
			A[i][j]=4*i+j;
}
void printC(int *C)
{
	int i=0;
	for(;i<MAXSIZE;i++)
		printf("%d\n",C[i]);
}
void bits(int *arr,int num)
{
	int j=0;
	for(;j<10;j++)
	{
		arr[j]=num%2;
		num=num/2;
	}
}
void main(int argc, char *argv[])
{
	int myid, nproc;
	int A[MAXSIZE][MAXSIZE],B[MAXSIZE],C[MAXSIZE]={0,0,0,0},i,j,low,high,sum=0;
	int w[10]={10,20,30,78,50,60,79,80,90,10},v[10]={100,23,165,756,896,12,35,16,38,90};
	int bin[10],max_value[8],max_solution[8],max_sol=0,max_v=0,current_v=0,current_w=0;
	MPI_Init(&argc,&argv);
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	int x=MAXSIZE/nproc;
	int recbuf[x][MAXSIZE], myresult[x], one[x], two[x], res[x];
	if(myid==0)
	{
		fillA(A);
		for(i=0;i<MAXSIZE;i++)
			B[i]=1;
	}
	MPI_Bcast(B, MAXSIZE, MPI_INT, 0, MPI_COMM_WORLD);	/*@B*/
	MPI_Scatter(A,x*MAXSIZE,MPI_INT,recbuf,x*MAXSIZE,MPI_INT,0,MPI_COMM_WORLD);	/*@A*/
	for(i=0;i<x;i++)
	{
		myresult[i]=0;
		for(j=0;j<MAXSIZE;j++)
		{
			myresult[i]+=recbuf[i][j]*B[j];
		}
	}
	MPI_Gather(&myresult,x,MPI_INT, &C,x, MPI_INT, 0, MPI_COMM_WORLD);	/*@C*/
	if(myid==0)
	{
		printf("result=\n");
		printC(C);
	}
	MPI_Scatter(&B,x,MPI_INT,&one,x,MPI_INT,0,MPI_COMM_WORLD);
	MPI_Scatter(&C,x,MPI_INT,&two,x,MPI_INT,0,MPI_COMM_WORLD);	/*@two*/
	for(i=0;i<x;i++)
	{

		res[i]=one[i]*two[i];

	}

	MPI_Gather(&res,x,MPI_INT, &C,x, MPI_INT, 0, MPI_COMM_WORLD);	/*@res*/
	if(myid==0)
		printC(C);
	low = myid * 128;
	high = (myid+1)*128;
	MPI_Bcast(w, 10, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(v, 10, MPI_INT, 0, MPI_COMM_WORLD);	/*@v*/
	max_v=0;
	max_sol=low;
	for(j = low; j < high; j++)
	{
		bits(bin,j);
		for(i=9;i>=0;i--)
		{
			current_v+=v[i]*bin[i];
			current_w+=w[i]*bin[i];
		}
		if(current_v>max_v && current_w<=100)
		{
			max_sol=j;
			max_v=current_v;
		}
		current_v=0;
		current_w=0;
	}
	MPI_Gather(&max_v,1,MPI_INT, &max_value,1, MPI_INT, 0, MPI_COMM_WORLD);	/*@best*/
	MPI_Gather(&max_sol,1,MPI_INT, &max_solution,1, MPI_INT, 0, MPI_COMM_WORLD);
	if(myid==0)
	{
		sum=0;
		for(i=0;i<nproc;i++)
			if(max_value[i]>max_value[sum])
				sum=i;
		printf("%d\n",max_solution[sum]);
	}
	MPI_Finalize();
}
